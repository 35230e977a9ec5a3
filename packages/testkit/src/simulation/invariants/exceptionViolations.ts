import { type PaymentException, returnedCents } from "@pixcharge/core/charge"
import type { Ledger } from "@pixcharge/simulated-bank"
import { nameOf } from "../names.ts"
import { paymentViolations } from "./paymentViolations.ts"
import type { Violation } from "./Violation.ts"

/** What is wrong with an exception now. */
export const exceptionViolations = (
  { payment, state, returns }: PaymentException,
  ledger: Ledger,
): ReadonlyArray<Violation> => {
  const name = `exception ${nameOf(payment.endToEndId)}`
  const found = paymentViolations(name, payment, returns, ledger)
  if (found.length > 0 || state._tag !== "Refunded") return found
  return returnedCents(payment.endToEndId, returns) < payment.amountCents
    ? [{ rule: "stateFollowsFromMoney", what: `${name} is Refunded, and not all went back` }]
    : []
}
