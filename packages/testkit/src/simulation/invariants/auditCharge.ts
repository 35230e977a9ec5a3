import type { StoreUnavailable } from "@pixcharge/core"
import type { ChargeId } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { eventViolations, moneyViolations } from "./chargeViolations.ts"
import type { Evidence } from "./finalViolations.ts"
import type { Violation } from "./Violation.ts"

/** What is wrong with one charge now: its money and its events. */
export const auditCharge = Effect.fnUntraced(function* (
  { books, ledger, endpointsEach }: Evidence,
  issuer: Cnpj,
  id: ChargeId,
): Effect.fn.Return<ReadonlyArray<Violation>, StoreUnavailable> {
  const charge = yield* books.charge(issuer, id)
  if (charge === undefined) return []
  const deliveries = yield* books.deliveries(issuer, id)
  return [...moneyViolations(charge, ledger), ...eventViolations(charge, deliveries, endpointsEach)]
})
