import * as Effect from "effect/Effect"
import { makeOutbox } from "../outbox/PostgresOutbox.ts"
import { checkSchema, type SchemaOptions } from "../schema/migrate.ts"
import { refuseDistributed } from "../schema/readSchema.ts"
import { schemaName } from "../sql/SchemaName.ts"
import type { Connection } from "../sql/Connection.ts"
import { makeDatabase } from "../sql/Database.ts"

/** What `maintenance` takes. */
export interface MaintenanceOptions extends SchemaOptions {
  /** What was settled before this moment is old. Epoch milliseconds. */
  readonly settledBefore: number
}

/** What `maintenance` has done. */
export interface Maintained {
  readonly purgedDeliveries: number
}

/**
 * Keeps the outbox small: deletes deliveries that were delivered or superseded long ago, with their attempts. Dead letters stay.
 *
 * To be run now and then, also while hosts run. Rejects with `StoreUnavailable`, as `checkSchema` does, or with `InvalidSchemaName`
 * or `SchemaDistributed`.
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
