import { ChargeArchive, Outbox, type StoreUnavailable } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isDistributed } from "./citus/distribution.ts"
import { openShards } from "./citus/openShards.ts"
import { allAnswers, atEveryShard } from "./citus/router/atEveryShard.ts"
import type { ShardPorts, StoreShards } from "./citus/Shards.ts"
import type { Connection } from "./Connection.ts"
import { type Database, makeDatabase } from "./database/Database.ts"
import { checkSchema, type SchemaOptions } from "./migrations/migrate.ts"
import { schemaName } from "./SchemaName.ts"
import { storePorts } from "./storePorts.ts"

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

const maintainShard = (settledBefore: number) =>
  Effect.fnUntraced(function* ({ ports }: ShardPorts): Effect.fn.Return<Maintained, StoreUnavailable> {
    const { archive } = Context.get(ports, ChargeArchive)
    let archivedCharges = 0
    for (let last = chargesAtOnce; last === chargesAtOnce; archivedCharges += last) {
      last = yield* archive(settledBefore, chargesAtOnce)
    }
    return { archivedCharges, purgedDeliveries: yield* Context.get(ports, Outbox).purge(settledBefore) }
  })

/** A plain schema is one shard. */
const oneShard = (database: Database): Pick<StoreShards, "all"> => ({
  all: Effect.succeed([{ id: "", ports: storePorts(database) }]),
})

/**
 * Keeps the hot tables small: archives charges that were settled long ago, and deletes deliveries that were delivered or
 * superseded long ago, with their attempts. Dead letters stay, and every archived charge is still found. To be run now and then, beside the
 * hosts if need be. A schema that Citus distributes is done shard by shard; one that fails fails the whole, once the others are
 * done. Rejects with `StoreUnavailable`, `SchemaTooOld`, `SchemaTooNew` or `InvalidSchemaName`.
 */
export const maintenance = async (
  db: Connection,
  { settledBefore, ...options }: MaintenanceOptions,
): Promise<Maintained> => {
  await checkSchema(db, options)
  const schema = schemaName(options.schema)
  const database = makeDatabase(db, schema)
  const shards = (await isDistributed(database, schema)) ? openShards(db, schema) : oneShard(database)
  const done = await Effect.runPromise(allAnswers(atEveryShard(shards)(maintainShard(settledBefore))))
  const sum = (count: (one: Maintained) => number) => done.reduce((before, one) => before + count(one), 0)
  return {
    archivedCharges: sum(({ archivedCharges }) => archivedCharges),
    purgedDeliveries: sum(({ purgedDeliveries }) => purgedDeliveries),
  }
}
