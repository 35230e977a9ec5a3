import { migrate } from "@pixcharge/store-postgres"
import { expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { distributedTables, keyedTables, referenceTables } from "../src/cluster/distribution.ts"

const db = await realPostgres()
await migrate(db)

const names = async (condition: string): Promise<ReadonlyArray<string>> => {
  const { rows } = await db.query(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'pixcharge'::regnamespace AND c.relkind = 'r' AND ${condition} ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

const hasIssuer = `EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'issuer' AND a.attnum = 1)`

it("every table is a reference table or distributed by its first column, mostly the issuer", async () => {
  expect(await names(hasIssuer)).toEqual(distributedTables.toSorted())
  expect(await names(`NOT ${hasIssuer}`)).toEqual([...keyedTables, ...referenceTables].toSorted())
})

it("the charges come first, because the other tables follow their shards", () => {
  expect(distributedTables[0]).toBe("charges")
})

it("every primary key and unique index of a distributed table has the issuer", async () => {
  const { rows } = await db.query(
    `SELECT i.indexrelid::regclass::text AS index FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'issuer'
     WHERE c.relnamespace = 'pixcharge'::regnamespace AND c.relname = ANY ($1) AND i.indisunique AND a.attnum <> ALL (i.indkey)`,
    [distributedTables],
  )
  expect(rows).toEqual([])
})
