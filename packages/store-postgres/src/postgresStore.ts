import {
  AuditLog,
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
import { RecurrenceStore } from "@pixcharge/core/recurring"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeChargeLists } from "./charges/PostgresChargeLists.ts"
import { makeChargeStore } from "./charges/PostgresChargeStore.ts"
import { makeDueChecks } from "./charges/PostgresDueChecks.ts"
import { makeExceptionStore } from "./charges/PostgresExceptionStore.ts"
import { makeReadCharges } from "./charges/readCharges.ts"
import { makeRevokedTokens } from "./directory/PostgresRevokedTokens.ts"
import { makeOutbox } from "./outbox/PostgresOutbox.ts"
import { PostgresRecurrenceStore } from "./recurrences/PostgresRecurrenceStore.ts"
import { makeAuditLog } from "./reports/PostgresAuditLog.ts"
import { makeChargeCounts } from "./reports/PostgresChargeCounts.ts"
import { makePayerData } from "./reports/PostgresPayerData.ts"
import { makeReconciliations } from "./charges/PostgresReconciliations.ts"
import {
  checkConnection,
  migrateOrCheck,
  prepareSchema,
  type ReadyOptions,
  readyRules,
  type StoreNotReady,
} from "./schema/ready.ts"
import { refuseDistributed } from "./schema/readSchema.ts"
import { storeRights } from "./schema/rights.ts"
import { schemaName } from "./sql/SchemaName.ts"
import type { Connection } from "./sql/Connection.ts"
import { type Database, makeDatabase } from "./sql/Database.ts"
import { diagnoseDatabase } from "./upkeep/diagnoseDatabase.ts"

/** Options of `postgresStore`. */
export interface PostgresStoreOptions extends ReadyOptions {
  /** The host's connection: a `pg.Pool`, or the result of `pgliteConnection` or `neonConnection`. */
  readonly db: Connection
}

/**
 * Every store port on Postgres, over the host's own connection. Migrates the schema when it is built, unless `migrations` is
 * `check`. Fails with `StoreNotReady` if the database can't be used, or if Citus has distributed the schema. Throws
 * `InvalidOption`.
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
        await refuseDistributed(db, schemaName(options.schema))
        await migrateOrCheck(db, options)
      }),
      (schema) => makeStorePorts(makeDatabase(db, schema)),
    ),
  )

export const makeStorePorts = (database: Database): Context.Context<StorePorts> => {
  const read = makeReadCharges(database)
  return Context.make(ChargeStore, makeChargeStore(database, read)).pipe(
    Context.add(Outbox, makeOutbox(database)),
    Context.add(ChargeLists, makeChargeLists(database)),
    Context.add(ChargeCounts, makeChargeCounts(database)),
    Context.add(ExceptionStore, makeExceptionStore(database)),
    Context.add(DueChecks, makeDueChecks(database, read)),
    Context.add(PayerData, makePayerData(database)),
    Context.add(Reconciliations, makeReconciliations(database)),
    Context.add(RecurrenceStore, new PostgresRecurrenceStore(database)),
    Context.add(RevokedTokens, makeRevokedTokens(database)),
    Context.add(AuditLog, makeAuditLog(database)),
  )
}
