import type { StoreUnavailable, TooManyReports } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"
import * as Effect from "effect/Effect"
import { moneyViolations } from "./moneyViolations.ts"
import { eventViolations } from "./eventViolations.ts"
import type { Evidence } from "./finalViolations.ts"
import type { Violation } from "./Violation.ts"

/**
 * What is wrong with one charge now: its money and its events. Where others write meanwhile its events are judged only if the
 * charge was of the same version before and after they were read: only then they belong together.
 */
export const auditCharge = Effect.fnUntraced(function* (
  { books, ledger, endpointsEach }: Evidence,
  charge: Charge,
): Effect.fn.Return<ReadonlyArray<Violation>, StoreUnavailable | TooManyReports> {
  const deliveries = yield* books.deliveries(charge.issuer, charge.id)
  const after = yield* books.charge(charge.issuer, charge.id)
  const hasMoved = after?.version !== charge.version
  return [...moneyViolations(charge, ledger), ...(hasMoved ? [] : eventViolations(charge, deliveries, endpointsEach))]
})
