import pg from "pg"
import { median } from "../world/quantile.ts"
import { compareRounds, type Comparison } from "./compareRounds.ts"
import { sessionsCpu } from "./processes/ServerCpu.ts"

/** The cost of one request: microseconds of the host's process and of Postgres's sessions, and bytes of the log. */
export interface Cost {
  readonly host: number
  readonly postgres: number
  readonly log: number
}

const figures = ["host", "postgres", "log"] as const satisfies ReadonlyArray<keyof Cost>

export const writtenLog = async (db: pg.Pool | pg.Client): Promise<number> => {
  const { rows } = await db.query("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes")
  return Number(rows[0].bytes)
}

/** Reads the server of this database. `measure` takes work that returns how many requests it made. */
export const openMeter = async (databaseUrl: string) => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const sessionsNs = await sessionsCpu(client)
  const read = async (hostNs: () => number): Promise<Cost> => ({
    host: hostNs() / 1e3,
    postgres: sessionsNs() / 1e3,
    log: await writtenLog(client),
  })
  return {
    client,
    measure: async (hostNs: () => number, work: () => Promise<number>): Promise<Cost> => {
      const before = await read(hostNs)
      const requests = await work()
      const after = await read(hostNs)
      const each = (figure: keyof Cost): number => (after[figure] - before[figure]) / requests
      return { host: each("host"), postgres: each("postgres"), log: each("log") }
    },
    close: () => client.end(),
  }
}

export type Meter = Awaited<ReturnType<typeof openMeter>>

const cpu = ({ host, postgres }: Cost): number => host + postgres

/** Compares the processor time of host and Postgres, round by round. */
export const compareCosts = (ours: ReadonlyArray<Cost>, theirs: ReadonlyArray<Cost>): Comparison => {
  const middle = (costs: ReadonlyArray<Cost>, figure: keyof Cost): number => median(costs.map((cost) => cost[figure]))
  return {
    ...compareRounds(ours.map(cpu), theirs.map(cpu)),
    costs: figures.map((figure) => [middle(ours, figure), middle(theirs, figure)]),
  }
}
