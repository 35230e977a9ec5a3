import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { median } from "../world/quantile.ts"
import { compareRounds, type Comparison } from "./compareRounds.ts"

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

/** True for a session of this server: its command line shows its client's port. The server's own processes have none. */
const isSession = (pid: string, postmaster: string): boolean =>
  /^\d+ \(.*\) \S+ (\d+) /s.exec(read(`/proc/${pid}/stat`))?.[1] === postmaster &&
  /^postgres: .*\(\d+\)/.test(read(`/proc/${pid}/cmdline`))

/** The CPU time of all sessions of a Postgres on this machine, including closed sessions and other nodes. */
export const sessionsCpu = async (client: pg.Client): Promise<() => number> => {
  const { rows } = await client.query("SELECT current_setting('data_directory') AS folder")
  const [postmaster = ""] = read(join(rows[0].folder, "postmaster.pid")).split("\n")
  if (postmaster === "") throw new Error(`the processes of the server in ${rows[0].folder} can't be seen from here`)
  const used = new Map<string, number>()
  return () => {
    for (const pid of readdirSync("/proc")) if (isSession(pid, postmaster)) used.set(pid, readCpuNs(pid))
    return [...used.values()].reduce((sum, cpu) => sum + cpu, 0)
  }
}

/** The cost of one request: microseconds of the host's process and of Postgres's sessions, and bytes of the log. */
export interface Cost {
  readonly host: number
  readonly postgres: number
  readonly log: number
}

export const writtenLog = async (db: pg.Pool | pg.Client): Promise<number> => {
  const { rows } = await db.query("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes")
  return Number(rows[0].bytes)
}

/** Reads the server of this database. `measure` takes work that returns how many requests it made. */
export const openMeter = async (databaseUrl: string) => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const sessionsNs = await sessionsCpu(client)
  const readAll = async (hostNs: () => number) =>
    [hostNs() / 1e3, sessionsNs() / 1e3, await writtenLog(client)] as const
  return {
    client,
    measure: async (hostNs: () => number, work: () => Promise<number>): Promise<Cost> => {
      const before = await readAll(hostNs)
      const requests = await work()
      const after = await readAll(hostNs)
      const [host = 0, postgres = 0, log = 0] = after.map((figure, index) => (figure - (before[index] ?? 0)) / requests)
      return { host, postgres, log }
    },
    close: () => client.end(),
  }
}

const cpu = ({ host, postgres }: Cost): number => host + postgres

/** Compares the processor time of host and Postgres, round by round. */
export const compareCosts = (ours: ReadonlyArray<Cost>, theirs: ReadonlyArray<Cost>): Comparison => ({
  ...compareRounds(ours.map(cpu), theirs.map(cpu)),
  costs: (["host", "postgres", "log"] as const).map((figure) =>
    [ours, theirs].map((costs) => median(costs.map((cost) => cost[figure]))),
  ),
})
