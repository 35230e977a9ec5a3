import type { Connection } from "@pixcharge/store-postgres"
import type { StoreHooks } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"

const tables = [
  "charges",
  "charge_texts",
  "payments",
  "payment_owners",
  "returns",
  "partial_refunds",
  "recurrences",
  "deliveries",
  "settled_deliveries",
  "delivery_attempts",
  "queue_leases",
  "reconciliations",
  "revoked_tokens",
  "audit_log",
]

/** Empties the store's tables before each test. It deletes the few rows, because that is faster than truncating. */
export const storeHooks = (db: Connection, schema = "pixcharge"): StoreHooks => {
  const deletions = tables.map((table) => `${table} AS (DELETE FROM ${schema}.${table})`)
  const text = `WITH ${deletions.join(", ")} SELECT 1`
  const run = (statement: string) => Effect.promise(() => db.query({ text: statement, values: [] }))
  // Disables the trigger that refuses to delete records of the audit log.
  let opened: Effect.Effect<unknown> = run(`ALTER TABLE ${schema}.audit_log DISABLE TRIGGER USER`)
  return {
    reset: Effect.suspend(() => {
      const once = opened
      opened = Effect.void
      return Effect.andThen(once, run(text))
    }),
  }
}
