import type { Connection } from "@pixcharge/store-postgres"
import { embeddedDatabase } from "@pixcharge/store-postgres/pglite"
import pg from "pg"

/** Runs one statement; its rows. */
export type Query = <Row = unknown>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

/** The shop's Postgres, which it shares with pixcharge. */
export interface Database {
  /** As pixcharge takes it. */
  readonly db: Connection
  readonly query: Query
  /** Does all of the work or nothing of it. */
  readonly transaction: <A>(work: (query: Query) => Promise<A>) => Promise<A>
  readonly close: () => Promise<void>
}

const queryBy =
  (db: Pick<Connection, "query">): Query =>
  async <Row>(text: string, values: ReadonlyArray<unknown> = []) =>
    (await db.query({ text, values: [...values] })).rows as ReadonlyArray<Row>

const ignore = (): void => undefined

const openServer = (connectionString: string): Database => {
  const pool = new pg.Pool({ connectionString, max: 10 })
  // An idle connection that breaks is replaced at the next use.
  pool.on("error", ignore)
  return {
    db: pool,
    query: queryBy(pool),
    transaction: async (work) => {
      const client = await pool.connect()
      // The statement that waits on a broken connection rejects; without a listener, the process would end besides.
      client.on("error", ignore)
      let isCommitted = false
      try {
        await client.query("BEGIN")
        const result = await work(queryBy(client))
        await client.query("COMMIT")
        isCommitted = true
        return result
      } finally {
        client.off("error", ignore)
        // To close a connection rolls back what it has begun.
        client.release(!isCommitted)
      }
    },
    close: () => pool.end(),
  }
}

/** The database of a Postgres URL; without one, Postgres in this process, in a folder below the current one. */
export const openDatabase = async (url: string): Promise<Database> => {
  if (url !== "") return openServer(url)
  const { db, transaction, close } = await embeddedDatabase(".pixcharge-express")
  return { db, query: queryBy(db), transaction: (work) => transaction((tx) => work(queryBy(tx))), close }
}
