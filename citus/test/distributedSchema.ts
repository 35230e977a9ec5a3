import { distribute } from "@pixcharge/store-postgres/citus"
import { aCnpj } from "@pixcharge/testkit/fixtures"
import type { StoreHooks } from "@pixcharge/testkit/suites"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import pg from "pg"
import { afterAll } from "vitest"
import type { Cluster } from "../chaos/src/Cluster.ts"

/** Every table by company, and the one that is of none. */
const tables = [
  "charges",
  "archived_texts",
  "payments",
  "returns",
  "partial_refunds",
  "reconciliations",
  "deliveries",
  "queue_leases",
  "settled_deliveries",
  "delivery_attempts",
  "audit_log",
  "revoked_tokens",
]

/** More than there are workers; fewer than a host would have, so that emptying them takes less time. */
const shards = 6

/** A name for a schema of one test file. */
export const freshSchema = (purpose: string): string => `${purpose}_${crypto.randomUUID().slice(0, 8)}`

/** A company in the shard of the first fixture. */
const neighbourIn = async (db: pg.Pool, schema: string): Promise<Cnpj> => {
  const candidates = Array.from({ length: 90 }, (_, at) => `${10 + at}222333000181`)
  const { rows } = await db.query<{ issuer: Cnpj }>(
    `SELECT issuer FROM unnest($2::text[]) AS issuer
     WHERE get_shard_id_for_distribution_column($1, issuer) = get_shard_id_for_distribution_column($1, $3::text)
     LIMIT 1`,
    [`${schema}.charges`, candidates, aCnpj],
  )
  const [row] = rows
  if (row === undefined) throw new Error("one of ninety companies is in the shard of the first")
  return row.issuer
}

/** A distributed schema that lives as long as the test file, and what the suites of a store need of it. */
export const distributedSchema = async ({ coordinator }: Cluster, purpose: string) => {
  const schema = freshSchema(purpose)
  // Records can't be deleted, and triggers of distributed tables not be disabled, otherwise.
  const db = new pg.Pool({ connectionString: coordinator.url, options: "-c citus.enable_unsafe_triggers=on" })
  afterAll(async () => {
    await db.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await db.end()
  })
  await distribute(db, { schema, shards })
  await db.query(`ALTER TABLE ${schema}.audit_log DISABLE TRIGGER USER`)
  const deletions = tables.map((table) => `DELETE FROM ${schema}.${table}`).join(";")
  const hooks: StoreHooks = {
    reset: Effect.promise(() => db.query(deletions)),
    neighbour: await neighbourIn(db, schema),
  }
  return { schema, hooks }
}
