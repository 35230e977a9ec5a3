import { checkSchema, type Connection, SchemaUnreleased } from "@pixcharge/store-postgres"
import { type EmbeddedDatabase, embeddedDatabase, FolderNotWritable } from "@pixcharge/store-postgres/pglite"
import { rename } from "node:fs/promises"
import { resolve } from "node:path"
import pg from "pg"

/** Runs one statement; returns its rows. */
export type Query = <Row = unknown>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

/** The shop's Postgres, which it shares with pixcharge. */
export interface Database {
  /** The connection for pixcharge. */
  readonly db: Connection
  readonly query: Query
  /** Commits all of the work, or none of it. */
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
  // The error needs no answer: the pool replaces a broken idle connection at its next use.
  pool.on("error", ignore)
  return {
    db: pool,
    query: queryBy(pool),
    transaction: async (work) => {
      const client = await pool.connect()
      // If the connection breaks, the waiting statement rejects. Without this listener, the process would also end.
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
        // Closing a connection rolls back its transaction.
        client.release(!isCommitted)
      }
    },
    close: () => pool.end(),
  }
}

/** Opens the example's database. If an unreleased version made it, keeps it aside and makes a new database. */
const openOwn = async (folder: string): Promise<EmbeddedDatabase> => {
  const database = await embeddedDatabase(folder)
  const flaw: unknown = await checkSchema(database.db).catch((error: unknown) => error)
  // The store reports any other flaw when it starts.
  if (!(flaw instanceof SchemaUnreleased)) return database
  await database.close()
  const aside = `${folder}-kept-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`
  await rename(folder, aside)
  console.error(
    `The database was made by an unreleased version of pixcharge: it is kept in ${aside}, and a new one is made.`,
  )
  return embeddedDatabase(folder)
}

/**
 * Opens the database of a Postgres URL. Without a URL, opens Postgres in this process, stored in a folder below the current
 * folder.
 */
export const openDatabase = async (url: string): Promise<Database> => {
  if (url !== "") return openServer(url)
  const folder = resolve(".pixcharge-express")
  console.error(`Opening the embedded database in ${folder}. Making it takes some seconds, once.`)
  const { db, transaction, close } = await openOwn(folder).catch((error: unknown) => {
    throw error instanceof FolderNotWritable
      ? new Error(`${error.message} Set DATABASE_URL to a Postgres URL.`, { cause: error })
      : error
  })
  return { db, query: queryBy(db), transaction: (work) => transaction((tx) => work(queryBy(tx))), close }
}
