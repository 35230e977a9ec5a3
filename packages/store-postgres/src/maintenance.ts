import * as Effect from "effect/Effect"
import { makeChargeArchive } from "./archive/PostgresChargeArchive.ts"
import type { Connection } from "./Connection.ts"
import { makeDatabase } from "./database/Database.ts"
import { checkSchema, type SchemaOptions } from "./migrations/migrate.ts"
import { makeOutbox } from "./outbox/PostgresOutbox.ts"
import { schemaName } from "./SchemaName.ts"

/** What `maintenance` counts as old, and where. */
export interface MaintenanceOptions extends SchemaOptions {
  /** What was settled before this moment is old. Epoch milliseconds. */
  readonly settledBefore: number
}

/** What `maintenance` has done. */
export interface Maintained {
  readonly archivedCharges: number
  readonly purgedDeliveries: number
}

/** Small enough that each statement is short. */
const chargesAtOnce = 1_000

/**
 * Keeps the hot tables small: archives charges that were settled long ago, and deletes deliveries that were delivered or
 * superseded long ago, with their attempts. Dead letters stay, and every archived charge is still found. To be run now and then, beside the
 * hosts if need be; rejects with `StoreUnavailable`, `SchemaTooOld`, `SchemaTooNew` or `InvalidSchemaName`.
 */
export const maintenance = async (
  db: Connection,
  { settledBefore, ...options }: MaintenanceOptions,
): Promise<Maintained> => {
  await checkSchema(db, options)
  const database = makeDatabase(db, schemaName(options.schema))
  const { archive } = makeChargeArchive(database)
  let archivedCharges = 0
  for (let last = chargesAtOnce; last === chargesAtOnce; archivedCharges += last) {
    last = await Effect.runPromise(archive(settledBefore, chargesAtOnce))
  }
  const purgedDeliveries = await Effect.runPromise(makeOutbox(database).purge(settledBefore))
  return { archivedCharges, purgedDeliveries }
}
