import { execFile } from "node:child_process"
import { readFileSync, readlinkSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { listChildren, signal } from "../../world/PostgresServer.ts"

/** The server of a node on this machine. */
export interface NodeProcess {
  /** Ends the postmaster and all its children with SIGKILL, as if the machine went down; resolves once they have ended. */
  readonly kill: () => Promise<void>
  /** Starts it again, by the programs and options that it ran with; resolves once it takes connections. */
  readonly start: () => Promise<void>
}

const postmasterPid = (folder: string): number =>
  Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0])

/** Whether the process is gone, or waits for its parent to take note. */
const hasEnded = (pid: number): boolean => {
  try {
    // The name of the program, in brackets, may hold anything.
    return /^.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return true
  }
}

/** The process of the server at this address, which must run on this machine; throws if the process that it names isn't there. */
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
      // Where nobody takes note of an ended process its number stays in use, and the server would not start again.
      rmSync(join(folder, "postmaster.pid"))
    },
    start: async () => {
      // `restart` starts a server that has died with the options that it had.
      const flags = ["-D", folder, "-l", join(dirname(folder), "restarted.log"), "-w", "-t", "120", "restart"]
      await promisify(execFile)(join(dirname(program), "pg_ctl"), flags, { uid, gid, cwd: "/" })
    },
  }
}
