import pg from "pg"
import { afterAll, inject } from "vitest"

const administer = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: `${url}/postgres` })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

export const realPostgres = async (options: pg.PoolConfig = {}): Promise<pg.Pool> => {
  const url = inject("postgresUrl")
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`
  await administer(url, `CREATE DATABASE ${name}`)
  const pool = new pg.Pool({ connectionString: `${url}/${name}`, ...options })
  afterAll(async () => {
    await pool.end()
    // Drops the database, because runs of thousands of files need the space. A database that is still in use stays.
    await administer(url, `DROP DATABASE ${name}`).catch(() => undefined)
  })
  return pool
}
