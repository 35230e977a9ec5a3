import { randomUUID } from "node:crypto"
import pg from "pg"
import { inject } from "vitest"

/** Makes an empty database on the Postgres of the tests; returns its URL. */
export const newDatabase = async (): Promise<string> => {
  const name = `shop_${randomUUID().replaceAll("-", "")}`
  const client = new pg.Client({ connectionString: `${inject("postgresUrl")}/postgres` })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return `${inject("postgresUrl")}/${name}`
}
