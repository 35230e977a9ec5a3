import type { Charge } from "@pixcharge/core/charges"
import type { Facts } from "./lostFacts.ts"
import { backCents } from "./money.ts"
import { shortName } from "./names.ts"
import type { Violation } from "./rules.ts"

type SettledCharge = Extract<Charge, { readonly payment: unknown }>

export const findMissingReturns = ({ id, payment, returns }: SettledCharge, facts?: Facts): ReadonlyArray<Violation> =>
  (facts?.returns ?? [])
    .filter((recorded) => recorded.endToEndId === payment.endToEndId && !returns.some((one) => one.id === recorded.id))
    .map((recorded) => ({ rule: "factsAreRecorded", what: `the return ${recorded.id} is not in ${shortName(id)}` }))

/**
 * Judges a charge that has just moved. Its state must follow from its payment and returns, and it must have at most one
 * live refund.
 */
export const judgeMovedCharge = (
  { id, _tag, payment, returns }: SettledCharge,
  liveParts: number,
): ReadonlyArray<Violation> => {
  const violations: Array<Violation> = []
  if (_tag === "Paid" && liveParts === 0 && backCents(payment, returns) >= payment.amountCents) {
    violations.push({
      rule: "stateFollowsFromMoney",
      what: `${shortName(id)} becomes Paid, but its whole payment was returned`,
    })
  }
  if (liveParts > (_tag === "Paid" ? 1 : 0)) {
    violations.push({ rule: "oneLiveRefund", what: `${shortName(id)} is ${_tag} with ${liveParts} parts under way` })
  }
  return violations
}
