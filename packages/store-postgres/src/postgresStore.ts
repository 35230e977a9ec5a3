import type { Diagnosable, StorePorts } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { refuseDistributed } from "./citus/refuseDistributed.ts"
import type { Connection } from "./Connection.ts"
import { makeDatabase } from "./database/Database.ts"
import { diagnoseDatabase } from "./diagnoseDatabase.ts"
import { checkConnection, readyRules } from "./readyRules.ts"
import { migrateOrCheck, type ReadyOptions, prepareSchema, type StoreNotReady } from "./ready.ts"
import { storeRights } from "./rights.ts"
import { makeStorePorts } from "./makeStorePorts.ts"

/** What `postgresStore` takes. */
export interface PostgresStoreOptions extends ReadyOptions {
  /** The host's connection: a `pg.Pool` as it is, or what `pgliteConnection` or `neonConnection` makes. */
  readonly db: Connection
}

/**
 * Every store port on Postgres, over the host's own connection. Migrates the schema when it is built, unless `migrations`
 * is `check`; fails with `StoreNotReady` if the database can't be used, or if Citus has distributed the schema. Throws `InvalidOption`.
 */
export const postgresStore = (given: PostgresStoreOptions): Layer.Layer<StorePorts, StoreNotReady> & Diagnosable => {
  checkConnection<PostgresStoreOptions>("postgresStore", given, readyRules)
  const { db, ...options } = given
  return Object.assign(storeLayer(db, options), { diagnose: () => diagnoseDatabase(db, options, storeRights) })
}

const storeLayer = (db: Connection, options: ReadyOptions): Layer.Layer<StorePorts, StoreNotReady> =>
  Layer.effectContext(
    Effect.map(
      prepareSchema(db, options, storeRights, async () => {
        await refuseDistributed(db, options)
        await migrateOrCheck(db, options)
      }),
      (schema) => makeStorePorts(makeDatabase(db, schema)),
    ),
  )
