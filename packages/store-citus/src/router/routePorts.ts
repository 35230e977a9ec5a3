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
import { RecurrenceStore } from "@pixcharge/core/recurring"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PaymentOwners } from "../shards/paymentOwners.ts"
import type { StoreShards } from "../shards/Shards.ts"
import { callAtCompany, callPortAtCompany } from "./callAtCompanies.ts"
import { IdleShards } from "./IdleShards.ts"
import { routeChargeStore, routeDueChecks, routeReconciliations, routeRecurrenceStore } from "./routeStores.ts"
import { routeOutbox } from "./routeOutbox.ts"

/** Revoked tokens belong to no company. */
type RoutedPorts = Exclude<StorePorts, RevokedTokens>

/** A store in shards by company. While a shard fails, only its companies' calls fail. */
export const routePorts = Effect.fnUntraced(function* (
  shards: StoreShards,
  owners: PaymentOwners,
): Effect.fn.Return<Context.Context<RoutedPorts>, never, Scope.Scope> {
  const idle = new IdleShards()
  return Context.make(ChargeStore, routeChargeStore(shards, idle, owners)).pipe(
    Context.add(Outbox, yield* routeOutbox(shards, idle)),
    Context.add(DueChecks, yield* routeDueChecks(shards, idle)),
    Context.add(Reconciliations, yield* routeReconciliations(shards)),
    Context.add(RecurrenceStore, yield* routeRecurrenceStore(shards, idle)),
    Context.add(ChargeLists, routeChargeLists(shards)),
    Context.add(ChargeCounts, routeChargeCounts(shards)),
    Context.add(ExceptionStore, routeExceptionStore(shards, idle)),
    Context.add(PayerData, routePayerData(shards)),
    Context.add(AuditLog, routeAuditLog(shards)),
  )
})

const routeChargeLists = (shards: StoreShards): ChargeLists["Service"] => {
  const at = callPortAtCompany(shards, ChargeLists)
  return ChargeLists.of({
    charges: (issuer, search, page) => at(issuer, (lists) => lists.charges(issuer, search, page)),
    payments: (issuer, period, page) => at(issuer, (lists) => lists.payments(issuer, period, page)),
    payment: (issuer, endToEndId) => at(issuer, (lists) => lists.payment(issuer, endToEndId)),
    paymentInAnyCase: (issuer, endToEndId) => at(issuer, (lists) => lists.paymentInAnyCase(issuer, endToEndId)),
    paymentsById: (issuer, endToEndIds) => at(issuer, (lists) => lists.paymentsById(issuer, endToEndIds)),
    paymentsAt: (issuer, moment) => at(issuer, (lists) => lists.paymentsAt(issuer, moment)),
    returnsOf: (issuer, endToEndIds) => at(issuer, (lists) => lists.returnsOf(issuer, endToEndIds)),
    returns: (issuer, period, page) => at(issuer, (lists) => lists.returns(issuer, period, page)),
  })
}

const routeChargeCounts = (shards: StoreShards): ChargeCounts["Service"] => {
  const at = callPortAtCompany(shards, ChargeCounts)
  return ChargeCounts.of({ count: (issuer, request) => at(issuer, (counts) => counts.count(issuer, request)) })
}

const routeExceptionStore = (shards: StoreShards, idle: IdleShards): ExceptionStore["Service"] => {
  const at = callPortAtCompany(shards, ExceptionStore)
  const atShard = callAtCompany(shards)
  return ExceptionStore.of({
    listOpen: (issuer, page) => at(issuer, (exceptions) => exceptions.listOpen(issuer, page)),
    search: (issuer, search, page) => at(issuer, (exceptions) => exceptions.search(issuer, search, page)),
    ofCharge: (charge, limit) => at(charge.issuer, (exceptions) => exceptions.ofCharge(charge, limit)),
    find: (issuer, endToEndId) => at(issuer, (exceptions) => exceptions.find(issuer, endToEndId)),
    commit: (change) =>
      atShard(change.issuer, ({ id, ports }) => {
        const commit = Context.get(ports, ExceptionStore).commit(change)
        return (change.deliveries ?? []).length > 0 ? idle.makeChange(id, commit) : commit
      }),
  })
}

const routePayerData = (shards: StoreShards): PayerData["Service"] => {
  const at = callPortAtCompany(shards, PayerData)
  return PayerData.of({
    export: (issuer, taxId) => at(issuer, (payers) => payers.export(issuer, taxId)),
    erase: (issuer, taxId, now, options) => at(issuer, (payers) => payers.erase(issuer, taxId, now, options)),
  })
}

const routeAuditLog = (shards: StoreShards): AuditLog["Service"] => {
  const at = callPortAtCompany(shards, AuditLog)
  return AuditLog.of({
    list: (cnpj, filter, page) => at(cnpj, (log) => log.list(cnpj, filter, page)),
    append: (cnpj, change) => at(cnpj, (log) => log.append(cnpj, change)),
  })
}
