import { countingClient } from "../../world/countingClient.ts"
import { startPostgres } from "../../world/index.ts"
import pg from "pg"

export interface Rows {
  /** The rows that indexes or scans of whole tables returned. */
  readonly read: number
  readonly written: number
}

export interface CountedDatabase {
  /** A pool with the store's only connection, so its counts are complete. */
  readonly pool: pg.Pool
  /** Returns the statements since the last call. Each is a round trip. */
  readonly takeStatements: () => ReadonlyArray<string>
  readonly rows: () => Promise<Rows>
  /** Updates the planner's statistics, as autovacuum does in production. */
  readonly analyze: () => Promise<void>
  readonly close: () => Promise<void>
}

const counted = `
SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS read, sum(n_tup_ins + n_tup_upd + n_tup_del) AS written
FROM pg_stat_user_tables WHERE schemaname = 'pixcharge'`

/** Makes Postgres use indexes, as it does for large tables. It would scan the small tables of a test. */
const asIfLarge = ["-c", "enable_seqscan=off"]

export const openDatabase = async (): Promise<CountedDatabase> => {
  const server = await startPostgres(["-c", "fsync=off", "-c", "autovacuum=off", ...asIfLarge])
  const statements: Array<string> = []
  const connectionString = `${server.url}/postgres`
  const pool = new pg.Pool({ connectionString, max: 1, Client: countingClient((text) => statements.push(text)) })
  // The pool's last connection can still be closing when the server stops.
  pool.on("error", () => undefined)
  const observer = new pg.Client({ connectionString })
  await observer.connect()
  return {
    pool,
    takeStatements: () => statements.splice(0),
    rows: async () => {
      await pool.query("SELECT pg_stat_force_next_flush()")
      statements.pop()
      const { rows } = await observer.query(counted)
      return { read: Number(rows[0].read), written: Number(rows[0].written) }
    },
    analyze: async () => void (await observer.query("VACUUM ANALYZE")),
    close: async () => {
      await pool.end()
      await observer.end()
      await server.remove()
    },
  }
}
