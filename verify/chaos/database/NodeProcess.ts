import { execFile } from "node:child_process"
import { readFileSync, readlinkSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { listChildren, signal } from "../../world/PostgresServer.ts"

export interface NodeProcess {
  /** Kills the postmaster and all its children with SIGKILL, like a crash of the machine. */
  readonly kill: () => Promise<void>
  /** Restarts with the same programs and options; resolves once connections succeed. */
  readonly start: () => Promise<void>
}

const postmasterPid = (folder: string): number =>
  Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0])

const hasEnded = (pid: number): boolean => {
  try {
    // The program's name is in brackets and can contain any character.
    return /^.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return true
  }
}

/** Throws if the server doesn't exist or runs on another machine. */
export const findNodeProcess = async (url: string): Promise<NodeProcess> => {
  const session = new pg.Client({ connectionString: url })
  await session.connect()
  const { rows } = await session.query<{ folder: string }>("SELECT current_setting('data_directory') AS folder")
  await session.end()
  const folder = (rows[0] as { folder: string }).folder
  const program = readlinkSync(`/proc/${postmasterPid(folder)}/exe`)
  const { uid, gid } = statSync(folder)
  return {
    kill: async () => {
      const pid = postmasterPid(folder)
      const all = [pid, ...listChildren(pid)]
      for (const one of all) signal(one, "SIGKILL")
      while (!all.every(hasEnded)) await sleep(5)
      // A zombie keeps its process id, so the server would refuse to start.
      rmSync(join(folder, "postmaster.pid"))
    },
    start: async () => {
      // `restart` starts a dead server with its previous options.
      const flags = ["-D", folder, "-l", join(dirname(folder), "restarted.log"), "-w", "-t", "120", "restart"]
      await promisify(execFile)(join(dirname(program), "pg_ctl"), flags, { uid, gid, cwd: "/" })
    },
  }
}
