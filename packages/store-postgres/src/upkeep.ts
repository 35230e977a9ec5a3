import * as Effect from "effect/Effect"
import { makeChargeArchive } from "./archive/PostgresChargeArchive.ts"
import { makeReadCharges } from "./charges/readCharges.ts"
import type { Connection } from "./Connection.ts"
import { makeDatabase } from "./database/Database.ts"
import { checkSchema, type SchemaOptions } from "./migrations/migrate.ts"
import { makeOutbox } from "./outbox/PostgresOutbox.ts"
import { schemaName } from "./SchemaName.ts"

export interface UpkeepOptions extends SchemaOptions {
  /** What was settled before this moment is old. Epoch milliseconds. */
  readonly settledBefore: number
}

/** Small enough that each statement is short. */
const atOnce = 1_000

/**
 * Keeps the hot tables small: archives charges that are settled for long, and deletes deliveries that were made long ago
 * with their attempts. Dead letters stay, and every archived charge is still found. To be run now and then, beside the
 * hosts if need be; rejects with `StoreUnavailable`, `SchemaTooOld`, `SchemaTooNew` or `InvalidSchemaName`.
 */
export const upkeep = async (
  db: Connection,
  { settledBefore, ...options }: UpkeepOptions,
): Promise<{ readonly archivedCharges: number; readonly purgedDeliveries: number }> => {
  await checkSchema(db, options)
  const database = makeDatabase(db, schemaName(options.schema))
  const archive = makeChargeArchive(database, makeReadCharges(database))
  let archivedCharges = 0
  for (let last = atOnce; last === atOnce; archivedCharges += last) {
    last = await Effect.runPromise(archive.archive(settledBefore, atOnce))
  }
  const purgedDeliveries = await Effect.runPromise(makeOutbox(database).purge(settledBefore))
  return { archivedCharges, purgedDeliveries }
}
