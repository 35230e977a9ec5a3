import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { postgresStore } from "@pixcharge/store-postgres"
import { storeSuite } from "@pixcharge/adapter-tests/suites"
import { describe, expect, it } from "vitest"
import { realPostgres, storeHooks } from "@pixcharge/verify/postgres"
import { migratePartitioned, parts } from "./migratePartitioned.ts"

const pool = await realPostgres()
const schema = "partitioned"
await migratePartitioned(pool, schema)

it("every table with an issuer is partitioned by the issuer", async () => {
  const { rows } = await pool.query(
    `SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE t.table_type = 'BASE TABLE' AND c.table_schema = $1 AND c.column_name = 'issuer' AND NOT EXISTS (
       SELECT 1 FROM pg_partitioned_table p WHERE p.partrelid = (c.table_schema || '.' || c.table_name)::regclass
     ) AND NOT EXISTS (
       SELECT 1 FROM pg_inherits i WHERE i.inhrelid = (c.table_schema || '.' || c.table_name)::regclass
     )`,
    [schema],
  )
  expect(rows).toEqual([])
  const { rows: tables } = await pool.query("SELECT count(*)::int AS count FROM pg_partitioned_table")
  expect(tables[0].count).toBe(12)
})

it("partitions have their table's settings", async () => {
  const { rows } = await pool.query(
    `SELECT relname, reloptions FROM pg_class
     WHERE relnamespace = $1::regnamespace AND relname ~ '^(charges|deliveries|settled_deliveries)_\\d$' ORDER BY 1`,
    [schema],
  )
  expect(rows).toHaveLength(3 * parts)
  for (const { reloptions } of rows)
    expect(reloptions).toContainEqual(expect.stringContaining("autovacuum_vacuum_scale_factor="))
})

const layer = postgresStore({ db: pool, schema, migrations: "check" })
const source = join(import.meta.dirname, "../src")
const statements = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".sql.ts"))

/**
 * Postgres 18.4 crashes after a statement has waited for a partition's row in a join. Lock rows in a lateral query of one table
 * instead.
 */
it.each(statements)("no statement in %s locks rows of a join", (file) => {
  expect(readFileSync(join(source, file), "utf8")).not.toMatch(/FOR (NO KEY )?UPDATE OF/)
})

describe("a store on partitioned tables", { tags: ["long"] }, () => {
  storeSuite("hash partitions", layer, storeHooks(pool, schema))
})
