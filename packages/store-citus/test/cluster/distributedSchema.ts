import { distribute } from "@pixcharge/store-citus"
import type { Cnpj } from "@pixcharge/core/party"
import { aCnpj } from "@pixcharge/adapter-tests/fixtures"
import type { StoreHooks } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import type pg from "pg"
import { distributedTables } from "../../src/cluster/distribution.ts"
import { freshSchema } from "./cluster.ts"

/** More shards than workers, but fewer than a host's, because emptying shards takes time. */
const shards = 6

const directoryTables = ["companies", "resellers", "credentials", "endpoints"]

const neighbourIn = async (admin: pg.Pool, schema: string): Promise<Cnpj> => {
  const candidates = Array.from({ length: 90 }, (_, index) => `${10 + index}222333000181`)
  const { rows } = await admin.query<{ issuer: Cnpj }>(
    `SELECT issuer FROM unnest($2::text[]) AS issuer
     WHERE get_shard_id_for_distribution_column($1, issuer) = get_shard_id_for_distribution_column($1, $3::text)
     LIMIT 1`,
    [`${schema}.charges`, candidates, aCnpj],
  )
  const [row] = rows
  if (row === undefined) throw new Error("expected one of ninety companies in the first company's shard")
  return row.issuer
}

/** Makes a distributed schema, which is dropped when the test file ends. */
export const distributedSchema = async (admin: pg.Pool, purpose: string) => {
  const schema = freshSchema(admin, purpose)
  await distribute(admin, { schema, shards })
  // Otherwise audit records couldn't be deleted.
  await admin.query(`ALTER TABLE ${schema}.audit_log DISABLE TRIGGER append_only`)
  const emptied = (tables: ReadonlyArray<string>) => {
    const deletions = tables.map((table) => `DELETE FROM ${schema}.${table}`).join(";")
    return Effect.asVoid(Effect.promise(() => admin.query(deletions)))
  }
  const hooks: StoreHooks = {
    reset: emptied([...distributedTables, "revoked_tokens"]),
    neighbour: await neighbourIn(admin, schema),
  }
  // Empties the audit log last, because deletions from the directory write audit records.
  return { schema, hooks, emptyDirectory: emptied([...directoryTables, "audit_log"]) }
}
