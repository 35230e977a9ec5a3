import { type Diagnosable, RevokedTokens, type StorePorts } from "@pixcharge/core"
import { checkSchema, type ReadyOptions, type StoreNotReady, type Connection } from "@pixcharge/store-postgres"
import {
  makeRevokedTokens,
  schemaName,
  type SchemaName,
  readSchema,
  checkConnection,
  prepareSchema,
  readyRules,
  type Database,
  makeDatabase,
} from "@pixcharge/store-postgres/internal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CitusUnusable } from "./shards/Shards.ts"
import { diagnoseCitus } from "./cluster/diagnoseCitus.ts"
import { distribute } from "./cluster/distribute.ts"
import { checkDistributed, citusRights, distributeCommand, isWhole, readDistribution } from "./cluster/distribution.ts"
import { openShards } from "./shards/openShards.ts"
import { makePaymentOwners } from "./shards/paymentOwners.ts"
import { routePorts } from "./router/routePorts.ts"

/** Options of `citusStore`. */
export interface CitusStoreOptions extends ReadyOptions {
  /** The host's connection to any node of the cluster, coordinator or worker: a `pg.Pool`. */
  readonly db: Connection
}

/**
 * Every store port on a schema that `pixcharge-citus distribute` has distributed by company, over the host's own connection to
 * any node. Fails with `StoreNotReady` if the cluster or the schema can't be used. Throws `InvalidOption`.
 */
export const citusStore = (given: CitusStoreOptions): Layer.Layer<StorePorts, StoreNotReady> & Diagnosable => {
  checkConnection<CitusStoreOptions>("citusStore", given, readyRules)
  const { db, ...options } = given
  return Object.assign(storeLayer(db, options), { diagnose: () => diagnoseCitus(db, options) })
}

const storeLayer = (db: Connection, options: ReadyOptions): Layer.Layer<StorePorts, StoreNotReady> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const schema = yield* prepareSchema(db, options, citusRights, () => bringUp(db, options))
      const database = makeDatabase(db, schema)
      const ports = yield* routePorts(openShards(db, schema), makePaymentOwners(database))
      return Context.add(ports, RevokedTokens, makeRevokedTokens(database))
    }),
  )

const checkDistribution = async (database: Database, schema: SchemaName): Promise<void> => {
  if (!isWhole(await readDistribution(database, schema))) {
    throw new CitusUnusable({
      message: `Schema ${schema} is not distributed as this release needs it: run \`${distributeCommand}\`.`,
    })
  }
}

/** Refuses a schema that isn't distributed, because the operator decides whether to distribute it. */
const bringUp = async (db: Connection, options: ReadyOptions): Promise<void> => {
  const schema = schemaName(options.schema)
  const database = makeDatabase(db, schema)
  const found = await checkDistributed(db, schema)
  const { missing } = await readSchema(db, schema)
  const isPending = missing.length > 0 || !isWhole(found)
  if (isPending && options.migrations !== "check") {
    const { schema: named } = options
    await distribute(db, named === undefined ? {} : { schema: named })
  }
  await checkSchema(db, options)
  await checkDistribution(database, schema)
}
