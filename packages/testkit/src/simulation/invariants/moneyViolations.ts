import { type Charge, returnedCents } from "@pixcharge/core/charge"
import type { Ledger } from "@pixcharge/simulated-bank"
import { nameOf } from "../names.ts"
import { paymentViolations } from "./paymentViolations.ts"
import type { Violation } from "./Violation.ts"

/** What is wrong with a charge's money. */
export const moneyViolations = (charge: Charge, ledger: Ledger): ReadonlyArray<Violation> => {
  const name = nameOf(charge.id)
  if (charge._tag === "Pending" || charge._tag === "Cancelled") {
    return "payment" in charge
      ? [{ rule: "stateFollowsFromMoney", what: `${name} is ${charge._tag} with a payment` }]
      : []
  }
  const { payment, returns } = charge
  const found = paymentViolations(name, payment, returns, ledger)
  if (found.length > 0) return found
  if (payment.txid !== charge.txid) {
    return [
      {
        rule: "stateFollowsFromMoney",
        what: `${name} is settled by ${nameOf(payment.endToEndId)}, which is not for it`,
      },
    ]
  }
  const back = returnedCents(payment.endToEndId, returns)
  return charge._tag === "Refunded" && back < payment.amountCents
    ? [{ rule: "stateFollowsFromMoney", what: `${name} is Refunded with ${back} cents of ${payment.amountCents}` }]
    : []
}
