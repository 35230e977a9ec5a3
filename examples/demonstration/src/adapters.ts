import type { CommonOptions } from "@pixcharge/embed"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { type Connection, postgresDirectory, postgresStore } from "@pixcharge/store-postgres"
import { embeddedDatabase } from "@pixcharge/store-postgres/pglite"
import pg from "pg"
import { pepper, sealingKey } from "./secrets.ts"
import { InvalidSetting, type Settings } from "./settings.ts"

/** What a demonstration keeps its data in; `close` after the last use. */
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
  // An idle connection that breaks is replaced at the next use.
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

const embedded = async (): Promise<Adapters> => {
  // Below the folder in which `pnpm start` runs.
  const { db, close } = await embeddedDatabase(".pixcharge")
  return onDatabase(db, close)
}

const inMemory = (): Adapters => ({
  store: memoryStore(),
  directory: memoryDirectory({ companies: [] }),
  close: async () => {},
})

/** `memory:` keeps everything in this process, a Postgres URL in that database, an empty text in an embedded one. */
export const openAdapters = async ({ databaseUrl }: Settings): Promise<Adapters> => {
  if (databaseUrl === "") return embedded()
  return databaseUrl === "memory:" ? inMemory() : onPostgres(databaseUrl)
}
