import { migrate, postgresStore } from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import pg from "pg"
import { expect, inject, it, onTestFinished } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"

const owner = await realPostgres()

const encoded = async (encoding: string): Promise<pg.Pool> => {
  const name = `encoded_${encoding.toLowerCase()}`
  await owner.query(`CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`)
  const pool = new pg.Pool({ connectionString: `${inject("postgresUrl")}/${name}` })
  onTestFinished(async () => {
    await pool.end()
    await owner.query(`DROP DATABASE ${name}`)
  })
  return pool
}

it.each(["LATIN1", "SQL_ASCII"])("the start, a migration and the doctor refuse a database in %s", async (encoding) => {
  const db = await encoded(encoding)
  const store = postgresStore({ db })
  const message = expect.stringContaining(`encoding is ${encoding}, which lacks characters`)
  const refused = { _tag: "DatabaseNotUnicode", encoding }
  const start = Effect.runPromise(Effect.scoped(Layer.build(store)))
  await expect(start).rejects.toMatchObject({ _tag: "StoreNotReady", message, cause: refused })
  await expect(migrate(db)).rejects.toMatchObject(refused)
  expect(await store.diagnose?.({})).toEqual([{ check: "database", status: "failed", message }])
  const { rows } = await db.query("SELECT FROM pg_namespace WHERE nspname = 'pixcharge'")
  expect(rows).toEqual([])
})
