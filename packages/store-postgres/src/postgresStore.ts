import {
  AuditLog,
  ChargeArchive,
  ChargeCounts,
  ChargeLists,
  ChargeStore,
  type Diagnosable,
  DueChecks,
  ExceptionStore,
  Outbox,
  PayerData,
  Reconciliations,
  RevokedTokens,
  type StorePorts,
} from "@pixcharge/core"
import { checkOptions } from "@pixcharge/core/options"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeChargeArchive } from "./archive/PostgresChargeArchive.ts"
import { makeAuditLog } from "./audit/PostgresAuditLog.ts"
import { makeChargeStore } from "./charges/PostgresChargeStore.ts"
import { makeReadCharges } from "./charges/readCharges.ts"
import { makeDueChecks } from "./checks/PostgresDueChecks.ts"
import type { Connection } from "./Connection.ts"
import { makeChargeCounts } from "./counts/PostgresChargeCounts.ts"
import { makeDatabase } from "./database/Database.ts"
import { diagnoseDatabase } from "./diagnoseDatabase.ts"
import { makeExceptionStore } from "./exceptions/PostgresExceptionStore.ts"
import { makeChargeLists } from "./lists/PostgresChargeLists.ts"
import { makeOutbox } from "./outbox/PostgresOutbox.ts"
import { makePayerData } from "./payers/PostgresPayerData.ts"
import { readyRules } from "./readyRules.ts"
import { ready, type ReadyOptions, type StoreNotReady } from "./ready.ts"
import { makeReconciliations } from "./reconciliations/PostgresReconciliations.ts"
import { makeRevokedTokens } from "./tokens/PostgresRevokedTokens.ts"

/** What `postgresStore` takes. */
export interface PostgresStoreOptions extends ReadyOptions {
  /** The host's connection: a `pg.Pool` as it is, or what `pgliteConnection` or `neonConnection` makes. */
  readonly db: Connection
}

/**
 * Every store port on Postgres, over the host's own connection. Migrates the schema when it is built, unless `migrations`
 * is `check`; fails with `StoreNotReady` if the database can't be used. Throws `InvalidOption`.
 */
export const postgresStore = (given: PostgresStoreOptions): Layer.Layer<StorePorts, StoreNotReady> & Diagnosable => {
  checkOptions<PostgresStoreOptions>("postgresStore", given, readyRules)
  const { db, ...options } = given
  return Object.assign(storeLayer(db, options), { diagnose: () => diagnoseDatabase(db, options) })
}

const storeLayer = (db: Connection, options: ReadyOptions): Layer.Layer<StorePorts, StoreNotReady> =>
  Layer.effectContext(
    Effect.map(ready(db, options), (schema) => {
      const database = makeDatabase(db, schema)
      const read = makeReadCharges(database)
      return Context.make(ChargeStore, makeChargeStore(database, read)).pipe(
        Context.add(Outbox, makeOutbox(database)),
        Context.add(ChargeLists, makeChargeLists(database)),
        Context.add(ChargeCounts, makeChargeCounts(database)),
        Context.add(ExceptionStore, makeExceptionStore(database)),
        Context.add(DueChecks, makeDueChecks(database, read)),
        Context.add(PayerData, makePayerData(database)),
        Context.add(ChargeArchive, makeChargeArchive(database)),
        Context.add(Reconciliations, makeReconciliations(database)),
        Context.add(RevokedTokens, makeRevokedTokens(database)),
        Context.add(AuditLog, makeAuditLog(database)),
      )
    }),
  )
