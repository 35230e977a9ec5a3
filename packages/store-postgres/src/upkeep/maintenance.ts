import * as Effect from "effect/Effect"
import { makeOutbox } from "../outbox/PostgresOutbox.ts"
import { checkSchema, type SchemaOptions } from "../schema/migrate.ts"
import { refuseDistributed } from "../schema/readSchema.ts"
import { schemaName } from "../sql/SchemaName.ts"
import type { Connection } from "../sql/Connection.ts"
import { makeDatabase } from "../sql/Database.ts"

/** Options of `maintenance`. */
export interface MaintenanceOptions extends SchemaOptions {
  /** Deliveries that were settled before this time are deleted. Epoch milliseconds. */
  readonly settledBefore: number
}

export interface Maintained {
  readonly purgedDeliveries: number
}

/**
 * Keeps the outbox small: deletes old delivered or superseded deliveries, with their attempts. Dead letters stay.
 *
 * Run it now and then, also while hosts run. Rejects with `StoreUnavailable`, with the errors of `checkSchema`, or with
 * `InvalidSchemaName` or `SchemaDistributed`.
 */
export const maintenance = async (
  db: Connection,
  { settledBefore, ...options }: MaintenanceOptions,
): Promise<Maintained> => {
  const schema = schemaName(options.schema)
  await checkSchema(db, options)
  await refuseDistributed(db, schema)
  const purgedDeliveries = await Effect.runPromise(makeOutbox(makeDatabase(db, schema)).purge(settledBefore))
  return { purgedDeliveries }
}
