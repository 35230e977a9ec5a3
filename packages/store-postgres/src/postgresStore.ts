import { ChargeArchive, ChargeStore, Outbox, Reconciliations } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeChargeArchive } from "./archive/PostgresChargeArchive.ts"
import { makeChargeStore } from "./charges/PostgresChargeStore.ts"
import { makeReadCharges } from "./charges/readCharges.ts"
import type { Connection } from "./Connection.ts"
import { makeDatabase } from "./database/Database.ts"
import { ready, type ReadyOptions, type StoreNotReady } from "./ready.ts"
import { makeOutbox } from "./outbox/PostgresOutbox.ts"
import { makeReconciliations } from "./reconciliations/PostgresReconciliations.ts"

export interface PostgresStoreOptions extends ReadyOptions {
  /** The host's connection: a `pg.Pool` as it is, or what `pgliteConnection` or `neonConnection` makes. */
  readonly db: Connection
}

/**
 * Every store port on Postgres, over the host's own connection. Migrates the schema when it is built, unless told not
 * to; whatever stands against that is one clear error then.
 */
export const postgresStore = ({
  db,
  ...options
}: PostgresStoreOptions): Layer.Layer<ChargeStore | Outbox | ChargeArchive | Reconciliations, StoreNotReady> =>
  Layer.effectContext(
    Effect.map(ready(db, options), (schema) => {
      const database = makeDatabase(db, schema)
      const read = makeReadCharges(database)
      return Context.make(ChargeStore, makeChargeStore(database, read)).pipe(
        Context.add(Outbox, makeOutbox(database)),
        Context.add(ChargeArchive, makeChargeArchive(database, read)),
        Context.add(Reconciliations, makeReconciliations(database)),
      )
    }),
  )
