import { startPostgres } from "../../world/index.ts"
import pg from "pg"

/** Rows of the schema's tables. */
export interface Rows {
  /** That indexes or scans of whole tables found. */
  readonly read: number
  /** Inserted, updated or deleted. */
  readonly written: number
}

/** A Postgres that tells what was asked of it. */
export interface CountedDatabase {
  /** For the store: one connection, so that its counts are all there are. */
  readonly pool: pg.Pool
  /** The texts of the statements since the last call, each of which is a round trip. */
  readonly takeStatements: () => ReadonlyArray<string>
  /** Rows touched since the server began. */
  readonly rows: () => Promise<Rows>
  /** Lets the database know what is in its tables, as it does by itself in time. */
  readonly analyze: () => Promise<void>
  readonly close: () => Promise<void>
}

const counted = `
SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS read, sum(n_tup_ins + n_tup_upd + n_tup_del) AS written
FROM pg_stat_user_tables WHERE schemaname = 'pixcharge'`

/** Small tables would be read whole, where large ones are looked up by an index. */
const asIfLarge = ["-c", "enable_seqscan=off"]

/** Starts one. */
export const openDatabase = async (): Promise<CountedDatabase> => {
  const server = await startPostgres(["-c", "fsync=off", "-c", "autovacuum=off", ...asIfLarge])
  const statements: Array<string> = []
  class CountingClient extends pg.Client {
    // As a pool's client is called: with a statement, for a promise.
    override query(...given: Array<never>): never {
      const [statement] = given as ReadonlyArray<string | { readonly text: string }>
      if (statement !== undefined) statements.push(typeof statement === "string" ? statement : statement.text)
      return Reflect.apply(super.query, this, given) as never
    }
  }
  const connectionString = `${server.url}/postgres`
  const pool = new pg.Pool({ connectionString, max: 1, Client: CountingClient as typeof pg.Client })
  // Its last connection may still be ending when the server does.
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
