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

/** Nanoseconds of processor time that a process of one thread has used; on Linux alone. */
export const cpuNsOf = (pid: number | string): number => Number(read(`/proc/${pid}/schedstat`).split(" ")[0])

/** The same of all threads of a process. */
export const cpuNsOfThreads = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + cpuNsOf(`${pid}/task/${thread}`), 0)

const parentOf = (pid: string): string | undefined =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ")[1]

/** What all processes of a Postgres on this machine have used: its sessions, and those that write its log and pages. */
export const postgresCpu = async (pool: pg.Pool): Promise<() => number> => {
  const { rows } = await pool.query("SELECT current_setting('data_directory') AS folder")
  const [postmaster = ""] = read(join(rows[0].folder, "postmaster.pid")).split("\n")
  if (postmaster === "") throw new Error(`the processes of the server in ${rows[0].folder} can't be seen from here`)
  const processes = () => readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === postmaster)
  return () => [postmaster, ...processes()].reduce((sum, pid) => sum + cpuNsOf(pid), 0)
}
