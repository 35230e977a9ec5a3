import { Outbox } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isDistributed } from "../citus/distribution.ts"
import { openShards } from "../citus/openShards.ts"
import { requireAllAnswers, callAtEveryShard } from "../citus/router/callAtCompanies.ts"
import type { StoreShards } from "../citus/Shards.ts"
import type { Connection } from "../sql/Connection.ts"
import { type Database, makeDatabase } from "../sql/Database.ts"
import { checkSchema, type SchemaOptions } from "../schema/migrate.ts"
import { schemaName } from "../schema/SchemaName.ts"
import { makeStorePorts } from "../postgresStore.ts"

/** What `maintenance` takes. */
export interface MaintenanceOptions extends SchemaOptions {
  /** What was settled before this moment is old. Epoch milliseconds. */
  readonly settledBefore: number
}

/** What `maintenance` has done. */
export interface Maintained {
  readonly purgedDeliveries: number
}

/** A plain schema counts as one shard. */
const makeOneShard = (database: Database): Pick<StoreShards, "all"> => ({
  all: Effect.succeed([{ id: "", ports: makeStorePorts(database) }]),
})

/**
 * Keeps the outbox small: deletes deliveries that were delivered or superseded long ago, with their attempts. Dead letters stay.
 *
 * To be run now and then, also while hosts run. A schema that Citus distributes is done shard by shard; if one fails, the call fails
 * once the others are done. Rejects with `StoreUnavailable`, as `checkSchema` does, or with `InvalidSchemaName`.
 */
export const maintenance = async (
  db: Connection,
  { settledBefore, ...options }: MaintenanceOptions,
): Promise<Maintained> => {
  await checkSchema(db, options)
  const schema = schemaName(options.schema)
  const database = makeDatabase(db, schema)
  const shards = (await isDistributed(database, schema)) ? openShards(db, schema) : makeOneShard(database)
  const purged = callAtEveryShard(shards)(({ ports }) => Context.get(ports, Outbox).purge(settledBefore))
  const counts = await Effect.runPromise(requireAllAnswers(purged))
  return { purgedDeliveries: counts.reduce((sum, count) => sum + count, 0) }
}
