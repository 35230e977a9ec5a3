import { Outbox } from "@pixcharge/core"
import { checkSchema, type Connection, type Maintained, type MaintenanceOptions } from "@pixcharge/store-postgres"
import { schemaName } from "@pixcharge/store-postgres/internal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { checkDistributed } from "./cluster/distribution.ts"
import { openShards } from "./shards/openShards.ts"
import { callAtEveryShard, requireAllAnswers } from "./router/callAtCompanies.ts"

/**
 * Runs `maintenance` of `@pixcharge/store-postgres` shard by shard, over a connection to any node. If a shard fails, the call
 * fails after the other shards are done. Rejects also with `CitusUnusable`.
 */
export const maintenance = async (
  db: Connection,
  { settledBefore, ...options }: MaintenanceOptions,
): Promise<Maintained> => {
  const schema = schemaName(options.schema)
  await checkDistributed(db, schema)
  await checkSchema(db, options)
  const purged = callAtEveryShard(openShards(db, schema))(({ ports }) =>
    Context.get(ports, Outbox).purge(settledBefore),
  )
  const counts = await Effect.runPromise(requireAllAnswers(purged))
  return { purgedDeliveries: counts.reduce((sum, count) => sum + count, 0) }
}
