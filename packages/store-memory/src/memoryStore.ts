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
  type StorePorts,
  type Volatile,
} from "@pixcharge/core"
import { aFlag, checkOptions, type OptionRules } from "@pixcharge/core/internal"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Deliveries } from "./Deliveries.ts"
import { MemoryAudit } from "./MemoryAudit.ts"
import { makeChargeCounts } from "./MemoryChargeCounts.ts"
import { makeChargeLists } from "./MemoryChargeLists.ts"
import { MemoryChargeStore } from "./MemoryChargeStore.ts"
import { MemoryDueChecks } from "./MemoryDueChecks.ts"
import { makeExceptionStore } from "./MemoryExceptionStore.ts"
import { MemoryOutbox } from "./MemoryOutbox.ts"
import { makePayerData } from "./MemoryPayerData.ts"
import { MemoryRecurrenceStore } from "./MemoryRecurrenceStore.ts"
import { MemoryReconciliations } from "./MemoryReconciliations.ts"
import { makeMemoryState } from "./MemoryState.ts"

export interface MemoryStoreOptions {
  /** Allows this store in production, which otherwise refuses it. Charges, payments and events end with the process. */
  readonly inProduction?: boolean
}

const rules: OptionRules<MemoryStoreOptions> = { inProduction: aFlag }

/**
 * Every store port in this process's memory: for tests, demonstrations and the sandbox. Each build is empty, and its content ends
 * with the process. Throws `InvalidOption`.
 */
export const memoryStore = (options: MemoryStoreOptions = {}): Layer.Layer<StorePorts> & Volatile => {
  checkOptions("memoryStore", options, rules)
  const layer = Layer.effectContext(
    Effect.map(MemoryAudit, (audit) => {
      const state = makeMemoryState()
      const deliveries = new Deliveries()
      const reconciliations = new MemoryReconciliations(state)
      return Context.make(ChargeStore, new MemoryChargeStore(state, deliveries, audit)).pipe(
        Context.add(Outbox, new MemoryOutbox(deliveries, state, audit)),
        Context.add(ChargeLists, makeChargeLists(state)),
        Context.add(ChargeCounts, makeChargeCounts(state, deliveries)),
        Context.add(ExceptionStore, makeExceptionStore(state, deliveries, audit)),
        Context.add(DueChecks, new MemoryDueChecks(state, reconciliations, deliveries)),
        Context.add(PayerData, makePayerData(state, deliveries, audit)),
        Context.add(Reconciliations, reconciliations),
        Context.add(RecurrenceStore, new MemoryRecurrenceStore(state, deliveries, audit)),
        Context.add(RevokedTokens, makeRevokedTokens()),
        Context.add(AuditLog, audit.log),
      )
    }),
  ).pipe(Layer.provide(MemoryAudit.layer))
  return options.inProduction === true ? layer : Object.assign(layer, { isVolatile: true as const })
}

const makeRevokedTokens = (): RevokedTokens["Service"] => {
  const untilById = new Map<string, number>()

  const forget = (now: number): void => {
    for (const [id, until] of untilById) if (until <= now) untilById.delete(id)
  }

  return RevokedTokens.of({
    revoke: ({ id, until, now }) =>
      Effect.sync(() => {
        forget(now)
        untilById.set(id, Math.max(until, untilById.get(id) ?? until))
      }),
    list: (now) => Effect.sync(() => [...untilById].flatMap(([id, until]) => (until > now ? [id] : []))),
  })
}
