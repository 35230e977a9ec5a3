import {
  AuditLog,
  ChargeCounts,
  ChargeLists,
  ChargeStore,
  DueChecks,
  ExceptionStore,
  Outbox,
  PayerData,
  Reconciliations,
  RevokedTokens,
} from "@pixcharge/core"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import { type PostgresStoreOptions, postgresStore } from "@pixcharge/store-postgres"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { onTestFinished } from "vitest"

export const openStore = async (options: PostgresStoreOptions) => {
  const scope = await Effect.runPromise(Scope.make())
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const context = await Effect.runPromise(Layer.buildWithScope(postgresStore(options), scope))
  return {
    store: Context.get(context, ChargeStore),
    outbox: Context.get(context, Outbox),
    lists: Context.get(context, ChargeLists),
    counts: Context.get(context, ChargeCounts),
    exceptions: Context.get(context, ExceptionStore),
    checks: Context.get(context, DueChecks),
    payers: Context.get(context, PayerData),
    recurrences: Context.get(context, RecurrenceStore),
    reconciliations: Context.get(context, Reconciliations),
    tokens: Context.get(context, RevokedTokens),
    audit: Context.get(context, AuditLog),
  }
}

export const run = Effect.runPromise
