import type { Charge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type { Books } from "./Evidence.ts"
import type { ComparedFacts } from "./listRules.ts"
import { backCents, liveParts } from "./money.ts"

/** A daily comparison lists the payments of the last two days. */
const listedMs = 2 * 86_400_000

/**
 * The charges that don't reflect compared payments: a charge still waits although a compared payment could settle it,
 * or is paid although its payment was returned.
 */
export const chargesBehind = (
  { charges }: Books,
  { issuer, payments, returns, until }: ComparedFacts,
  isFree: (endToEndId: string) => boolean,
) => {
  const isBehind = (charge: Charge): boolean => {
    if (charge._tag === "Pending") {
      const its = payments.filter(({ txid, paidAt }) => txid === charge.txid && paidAt > until - listedMs)
      return its.some(({ endToEndId }) => isFree(endToEndId))
    }
    if (charge._tag !== "Paid" || liveParts(charge).length > 0) return false
    const { payment } = charge
    const known = charge.returns.filter((row) =>
      returns.some(({ endToEndId, id }) => endToEndId === row.endToEndId && id === row.id),
    )
    return backCents(payment, known) >= payment.amountCents
  }
  return payments.length === 0 ? Effect.succeed([]) : Effect.map(charges(issuer), (all) => all.filter(isBehind))
}
