import type { CommonOptions } from "@pixcharge/embed"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import {
  checkSchema,
  type Connection,
  postgresDirectory,
  postgresStore,
  SchemaUnreleased,
} from "@pixcharge/store-postgres"
import { type EmbeddedDatabase, embeddedDatabase, FolderNotWritable } from "@pixcharge/store-postgres/pglite"
import { rename } from "node:fs/promises"
import { resolve } from "node:path"
import pg from "pg"
import { pepper, sealingKey } from "./secrets.ts"
import { InvalidSetting, type Settings } from "./settings.ts"

/** The demonstration's storage; call `close` after the last use. */
export interface Adapters extends Required<Pick<CommonOptions, "store" | "directory">> {
  readonly close: () => Promise<void>
}

const onDatabase = (db: Connection, close: () => Promise<void>): Adapters => ({
  store: postgresStore({ db }),
  directory: postgresDirectory({ db, pepper, sealingKey }),
  close,
})

const onPostgres = async (connectionString: string): Promise<Adapters> => {
  const pool = new pg.Pool({ connectionString, max: 10 })
  // The error needs no answer: the pool replaces a broken idle connection at its next use.
  pool.on("error", () => {})
  try {
    await pool.query("SELECT 1")
  } catch (error) {
    await pool.end()
    const reason = error instanceof Error ? error.message : String(error)
    throw new InvalidSetting(`the database of DATABASE_URL can't be used: ${reason}`)
  }
  return onDatabase(pool, () => pool.end())
}

/** Opens the demonstration's database. If an unreleased version made it, keeps it aside and makes a new database. */
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

const embedded = async (): Promise<Adapters> => {
  const folder = resolve(".pixcharge")
  console.error(`Opening the embedded database in ${folder}. Making it takes some seconds, once.`)
  try {
    const { db, close } = await openOwn(folder)
    return onDatabase(db, close)
  } catch (error) {
    if (!(error instanceof FolderNotWritable)) throw error
    throw new InvalidSetting(`${error.message} Set DATABASE_URL to memory: or a Postgres URL.`)
  }
}

const inMemory = (): Adapters => ({
  store: memoryStore(),
  directory: memoryDirectory({ companies: [] }),
  close: async () => {},
})

/**
 * Stores everything in this process for `memory:`, else in the database of a Postgres URL, or in an embedded database if the
 * setting is empty.
 */
export const openAdapters = async ({ databaseUrl }: Settings): Promise<Adapters> => {
  if (databaseUrl === "") return embedded()
  return databaseUrl === "memory:" ? inMemory() : onPostgres(databaseUrl)
}
