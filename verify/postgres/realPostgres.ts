import pg from "pg"
import { afterAll, inject } from "vitest"

/** Runs one statement beside all databases of tests. */
const administer = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: `${url}/postgres` })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** A pool on an empty database of its own, on the real Postgres. */
export const realPostgres = async (options: pg.PoolConfig = {}): Promise<pg.Pool> => {
  const url = inject("postgresUrl")
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`
  await administer(url, `CREATE DATABASE ${name}`)
  const pool = new pg.Pool({ connectionString: `${url}/${name}`, ...options })
  afterAll(async () => {
    await pool.end()
    // Runs of files by the thousand need the space; a database that something else still uses stays.
    await administer(url, `DROP DATABASE ${name}`).catch(() => undefined)
  })
  return pool
}
