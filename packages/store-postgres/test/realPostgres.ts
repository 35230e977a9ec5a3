import pg from "pg"
import { afterAll, inject } from "vitest"

/** A pool on an empty database of its own, on the real Postgres, which is gone when all tests are. */
export const realPostgres = async (options: pg.PoolConfig = {}): Promise<pg.Pool> => {
  const url = inject("postgresUrl")
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`
  const maintenance = new pg.Client({ connectionString: `${url}/postgres` })
  await maintenance.connect()
  await maintenance.query(`CREATE DATABASE ${name}`)
  await maintenance.end()
  const pool = new pg.Pool({ connectionString: `${url}/${name}`, ...options })
  afterAll(() => pool.end())
  return pool
}
