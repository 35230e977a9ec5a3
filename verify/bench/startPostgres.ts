import { startPostgres as startServer } from "../world/index.ts"
import pg from "pg"

/** Starts a real Postgres for the run. It is durable by default. */
export const startPostgres = async (flags: ReadonlyArray<string> = []) => {
  const server = await startServer(flags)
  const administer = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: `${server.url}/postgres` })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  const database = async (name: string): Promise<string> => {
    await administer(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
    return `${server.url}/${name}`
  }
  let last: string | undefined
  return {
    database,
    /** Drops the previous database, whose vacuuming would slow the next one down. */
    nextDatabase: async (name: string): Promise<string> => {
      if (last !== undefined) await administer(`DROP DATABASE ${pg.escapeIdentifier(last)} WITH (FORCE)`)
      last = name
      return database(name)
    },
    stop: server.remove,
  }
}
