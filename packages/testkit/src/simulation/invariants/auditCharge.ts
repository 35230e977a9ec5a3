import type { StoreUnavailable } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"
import * as Effect from "effect/Effect"
import { moneyViolations } from "./moneyViolations.ts"
import { eventViolations } from "./eventViolations.ts"
import type { Evidence } from "./finalViolations.ts"
import type { Violation } from "./Violation.ts"

/** What is wrong with one charge now: its money and its events. */
export const auditCharge = Effect.fnUntraced(function* (
  { books, ledger, endpointsEach }: Evidence,
  charge: Charge,
): Effect.fn.Return<ReadonlyArray<Violation>, StoreUnavailable> {
  const deliveries = yield* books.deliveries(charge.issuer, charge.id)
  return [...moneyViolations(charge, ledger), ...eventViolations(charge, deliveries, endpointsEach)]
})
