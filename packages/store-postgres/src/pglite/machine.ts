import { readFileSync, statfsSync } from "node:fs"
import { hostname } from "node:os"

/** Identifies this run of this machine's system; containers on one system share it. */
export const systemRun = (): string => {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
  } catch {
    // Not Linux: there containers are machines of their own.
    return hostname()
  }
}

/** File systems on a disk or in memory of one machine, by the numbers of `statfs(2)`. */
const localFileSystems: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x794c7630, // overlay
])

/** Whether no other machine can reach the folder, as one over a network could. */
export const isOfOneMachine = (folder: string): boolean => localFileSystems.has(statfsSync(folder).type)
