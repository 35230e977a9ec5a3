import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type pg from "pg"

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // The process has ended.
    return ""
  }
}

/** The processor time of a single-threaded process in nanoseconds. Linux only. */
export const readCpuNs = (pid: number | string): number => Number(read(`/proc/${pid}/schedstat`).split(" ")[0])

/** The processor time of all threads of a process in nanoseconds. */
export const cpuNsOfThreads = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + readCpuNs(`${pid}/task/${thread}`), 0)

const readParent = (pid: string): string | undefined =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ")[1]

/**
 * Finds the process id of the server's main process. Rejects if the server is on another machine or its files are
 * unreadable.
 */
const findPostmaster = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query("SELECT current_setting('data_directory') AS folder")
  const [postmaster = ""] = read(join(rows[0].folder, "postmaster.pid")).split("\n")
  if (postmaster === "") throw new Error(`the processes of the server in ${rows[0].folder} can't be seen from here`)
  return postmaster
}

const listChildren = (postmaster: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && readParent(pid) === postmaster)

/** True for a session: its command line shows its client's port. The server's own processes don't have one. */
const isSession = (pid: string): boolean => /^postgres: .*\(\d+\)/.test(read(`/proc/${pid}/cmdline`))

/** The CPU time of all sessions of a Postgres on this machine, including closed sessions and other nodes. */
export const sessionsCpu = async (client: pg.Client): Promise<() => number> => {
  const postmaster = await findPostmaster(client)
  const used = new Map<string, number>()
  return () => {
    for (const pid of listChildren(postmaster).filter(isSession)) used.set(pid, readCpuNs(pid))
    return [...used.values()].reduce((sum, cpu) => sum + cpu, 0)
  }
}
