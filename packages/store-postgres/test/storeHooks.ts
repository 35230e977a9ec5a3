import type { Connection } from "@pixcharge/store-postgres"
import type { StoreHooks } from "@pixcharge/testkit"
import * as Effect from "effect/Effect"

/** Every table that holds what a store keeps. */
const tables = [
  "charges",
  "archived_texts",
  "payments",
  "returns",
  "deliveries",
  "settled_deliveries",
  "delivery_attempts",
]

/** Empties the store's tables before each test, which is faster than a schema for each. */
export const storeHooks = (db: Connection, schema = "pixcharge"): StoreHooks => ({
  reset: Effect.promise(() =>
    db.query({ text: `TRUNCATE ${tables.map((table) => `${schema}.${table}`).join(", ")}`, values: [] }),
  ),
})
