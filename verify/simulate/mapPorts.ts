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
} from "@pixcharge/core"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import * as Context from "effect/Context"

export const mapPorts = (
  store: Context.Context<StorePorts>,
  map: <S extends object>(port: string, service: S) => S,
): Context.Context<StorePorts> => {
  const add =
    <I extends StorePorts, S extends object>(port: string, key: Context.Key<I, S>) =>
    (context: Context.Context<StorePorts>): Context.Context<StorePorts> =>
      Context.add(context, key, map(port, Context.getUnsafe(store, key)))
  return store.pipe(
    add("store", ChargeStore),
    add("outbox", Outbox),
    add("lists", ChargeLists),
    add("counts", ChargeCounts),
    add("exceptions", ExceptionStore),
    add("checks", DueChecks),
    add("payers", PayerData),
    add("reconciliations", Reconciliations),
    add("recurrences", RecurrenceStore),
    add("revoked tokens", RevokedTokens),
    add("audit log", AuditLog),
  )
}
