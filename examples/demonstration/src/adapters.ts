import type { CommonOptions } from "@pixcharge/embed"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { type Connection, postgresDirectory, postgresStore } from "@pixcharge/store-postgres"
import { embeddedDatabase } from "@pixcharge/store-postgres/pglite"
import pg from "pg"
import { registrations } from "./company.ts"
import { pepper, sealingKey } from "./secrets.ts"
import { InvalidSetting, type Settings } from "./settings.ts"

/** What a demonstration keeps its data in; `close` after the last use. */
export interface Adapters extends Pick<CommonOptions, "store" | "directory"> {
  readonly close: () => Promise<void>
}

/** Where the embedded database lives, below the folder in which the host is started. */
const dataFolder = ".pixcharge"

/** On a database, where the demonstration company is registered unless it is already. */
const onDatabase = async (db: Connection, settings: Settings, close: () => Promise<void>): Promise<Adapters> => {
  const directory = postgresDirectory({ db, pepper, sealingKey })
  const { resellers, companies } = registrations(settings)
  for (const reseller of resellers) {
    await directory.putReseller(reseller)
    if (reseller.callback === undefined) await directory.removeCallback(reseller.cnpj)
  }
  for (const company of companies) await directory.putCompany(company)
  return { store: postgresStore({ db }), directory, close }
}

const onPostgres = async (settings: Settings): Promise<Adapters> => {
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 10 })
  // An idle connection that breaks is replaced at the next use.
  pool.on("error", () => {})
  try {
    return await onDatabase(pool, settings, () => pool.end())
  } catch (error) {
    await pool.end()
    const reason = error instanceof Error ? error.message : String(error)
    throw new InvalidSetting(`the database of DATABASE_URL can't be used: ${reason}`)
  }
}

const embedded = async (settings: Settings): Promise<Adapters> => {
  const { db, close } = await embeddedDatabase(dataFolder)
  return onDatabase(db, settings, close)
}

const inMemory = (settings: Settings): Adapters => ({
  store: memoryStore(),
  directory: memoryDirectory(registrations(settings)),
  close: async () => {},
})

/** `memory:` keeps everything in this process, a Postgres URL in that database, an empty text in an embedded one. */
export const openAdapters = async (settings: Settings): Promise<Adapters> => {
  const { databaseUrl } = settings
  if (databaseUrl === "") return embedded(settings)
  if (databaseUrl === "memory:") return inMemory(settings)
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) return onPostgres(settings)
  throw new InvalidSetting("DATABASE_URL must be memory:, a Postgres URL, or empty for the embedded database")
}
