import { type Diagnosable, RevokedTokens, type StorePorts } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Connection } from "../Connection.ts"
import { makeDatabase } from "../database/Database.ts"
import { checkConnection, readyRules } from "../readyRules.ts"
import { type ReadyOptions, prepareSchema, type StoreNotReady } from "../ready.ts"
import { citusRights } from "../rights.ts"
import { makeRevokedTokens } from "../tokens/PostgresRevokedTokens.ts"
import { bringUp } from "./bringUp.ts"
import { diagnoseCitus } from "./diagnoseCitus.ts"
import { openShards } from "./openShards.ts"
import { makePaymentOwners } from "./paymentOwners.ts"
import { routePorts } from "./router/routePorts.ts"

/** What `citusStore` takes. */
export interface CitusStoreOptions extends ReadyOptions {
  /** The host's connection to any node of the cluster, the coordinator or a worker: a `pg.Pool` as it is. */
  readonly db: Connection
}

/**
 * Every store port on a schema that Citus has distributed by company (`pixcharge-postgres distribute`), over the host's own
 * connection to any node. Fails with `StoreNotReady` if the cluster or the schema can't be used. Throws `InvalidOption`.
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
      // Revoked tokens belong to no company: their table is copied to every node.
      return Context.add(ports, RevokedTokens, makeRevokedTokens(database))
    }),
  )
