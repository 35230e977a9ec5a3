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
  type RevokedTokens,
  type StorePorts,
} from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PaymentOwners } from "../paymentOwners.ts"
import type { StoreShards } from "../Shards.ts"
import { portAtCompany } from "./atCompany.ts"
import { IdleShards } from "./IdleShards.ts"
import { routedChargeStore } from "./routedChargeStore.ts"
import { routedDueChecks } from "./routedDueChecks.ts"
import { routedOutbox } from "./routedOutbox.ts"
import { routedReconciliations } from "./routedReconciliations.ts"

/** What a store in shards provides; revoked tokens are of no company. */
type RoutedPorts = Exclude<StorePorts, RevokedTokens>

/**
 * A store in shards by company: a call that names a company goes to its shard, and one that spans companies goes to each of their shards.
 * While a shard fails, calls of its companies do, and all others go on.
 */
export const routedPorts = Effect.fnUntraced(function* (
  shards: StoreShards,
  owners: PaymentOwners,
): Effect.fn.Return<Context.Context<RoutedPorts>, never, Scope.Scope> {
  const idle = new IdleShards()
  return Context.make(ChargeStore, routedChargeStore(shards, idle, owners)).pipe(
    Context.add(Outbox, yield* routedOutbox(shards, idle)),
    Context.add(DueChecks, yield* routedDueChecks(shards)),
    Context.add(Reconciliations, yield* routedReconciliations(shards)),
    Context.add(ChargeLists, routedChargeLists(shards)),
    Context.add(ChargeCounts, routedChargeCounts(shards)),
    Context.add(ExceptionStore, routedExceptionStore(shards)),
    Context.add(PayerData, routedPayerData(shards)),
    Context.add(AuditLog, routedAuditLog(shards)),
  )
})

const routedChargeLists = (shards: StoreShards): ChargeLists["Service"] => {
  const at = portAtCompany(shards, ChargeLists)
  return ChargeLists.of({
    charges: (issuer, search, page) => at(issuer, (lists) => lists.charges(issuer, search, page)),
    payments: (issuer, period, page) => at(issuer, (lists) => lists.payments(issuer, period, page)),
    payment: (issuer, endToEndId) => at(issuer, (lists) => lists.payment(issuer, endToEndId)),
    paymentsById: (issuer, endToEndIds) => at(issuer, (lists) => lists.paymentsById(issuer, endToEndIds)),
    paymentsAt: (issuer, moment) => at(issuer, (lists) => lists.paymentsAt(issuer, moment)),
    returnsOf: (issuer, endToEndIds) => at(issuer, (lists) => lists.returnsOf(issuer, endToEndIds)),
    returns: (issuer, period, page) => at(issuer, (lists) => lists.returns(issuer, period, page)),
  })
}

const routedChargeCounts = (shards: StoreShards): ChargeCounts["Service"] => {
  const at = portAtCompany(shards, ChargeCounts)
  return ChargeCounts.of({ count: (issuer, request) => at(issuer, (counts) => counts.count(issuer, request)) })
}

const routedExceptionStore = (shards: StoreShards): ExceptionStore["Service"] => {
  const at = portAtCompany(shards, ExceptionStore)
  return ExceptionStore.of({
    listOpen: (issuer, page) => at(issuer, (exceptions) => exceptions.listOpen(issuer, page)),
    search: (issuer, search, page) => at(issuer, (exceptions) => exceptions.search(issuer, search, page)),
    ofCharge: (charge, limit) => at(charge.issuer, (exceptions) => exceptions.ofCharge(charge, limit)),
    find: (issuer, endToEndId) => at(issuer, (exceptions) => exceptions.find(issuer, endToEndId)),
    commit: (change) => at(change.issuer, (exceptions) => exceptions.commit(change)),
  })
}

const routedPayerData = (shards: StoreShards): PayerData["Service"] => {
  const at = portAtCompany(shards, PayerData)
  return PayerData.of({
    export: (issuer, taxId) => at(issuer, (payers) => payers.export(issuer, taxId)),
    erase: (issuer, taxId, now) => at(issuer, (payers) => payers.erase(issuer, taxId, now)),
  })
}

const routedAuditLog = (shards: StoreShards): AuditLog["Service"] => {
  const at = portAtCompany(shards, AuditLog)
  return AuditLog.of({
    list: (cnpj, filter, page) => at(cnpj, (log) => log.list(cnpj, filter, page)),
    append: (cnpj, change) => at(cnpj, (log) => log.append(cnpj, change)),
  })
}
