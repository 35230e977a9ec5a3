import type { Charge } from "./Charge.ts"
import { chargeIdFromTxid } from "./ChargeId.ts"
import { type Payment, type Return, returnedCents, unknownReturns } from "./Payment.ts"
import type { ExceptionState } from "./PaymentException.ts"
import type { PaymentNotice } from "./PaymentNotice.ts"
import { isChargeRefund, isExceptionRefund } from "./RefundId.ts"

/** Where a payment stands in the books. */
export interface PaymentStanding extends Pick<Payment, "issuer" | "endToEndId" | "chargeId" | "amountCents"> {
  /** Where its charge stands: the one for which it is recorded, or else the one that it names; absent where neither is known. */
  readonly charge?: Charge["_tag"]
  /** Where it stands as an exception; absent where it settled its charge. */
  readonly exception?: ExceptionState["_tag"]
  /** All that went back of it. */
  readonly returns: ReadonlyArray<Return>
}

/** What is shown of a payment: the ids of its returns are its own as the books write it. */
interface Shown extends Pick<PaymentNotice, "txid"> {
  readonly returns: ReadonlyArray<Return>
}

/**
 * Whether all of the payment is back, and what it belongs to still stands as if it were not; or a refund of its charge returned
 * it, and the charge is settled by another payment.
 */
export const isBehind = ({ endToEndId, amountCents, charge, exception, returns }: PaymentStanding): boolean => {
  const isUnended = exception === undefined ? charge === "Paid" : exception === "Open"
  if (isUnended && returnedCents(endToEndId, returns) >= amountCents) return true
  const isElsewhere =
    exception !== undefined && exception !== "Resolved" && (charge === "Paid" || charge === "Refunding")
  return isElsewhere && returns.some(isChargeRefund)
}

/** Whether it is recorded for its charge, if there is one, and can't settle this any more. */
const isInPlace = ({ issuer, chargeId, charge, returns }: PaymentStanding, { txid }: Shown): boolean => {
  if (charge === undefined) return true
  const named = chargeIdFromTxid(issuer, txid)
  return (charge !== "Pending" || returns.some(isExceptionRefund)) && (named ?? chargeId) === chargeId
}

/** Those of the returns that the books don't have. */
export const newReturns = (standing: PaymentStanding | undefined, { returns }: Shown): ReadonlyArray<Return> =>
  returns.filter((returned) => unknownReturns(standing?.returns ?? [], returned).length > 0)

/**
 * Whether nothing is left to be done for a payment that the books have. A commit that came too late to move its charge has
 * recorded its facts, and its process may have died before it decided again.
 */
export const isSettled = (standing: PaymentStanding, shown: Shown): boolean =>
  isInPlace(standing, shown) &&
  (shown.returns.length === 0 || (!isBehind(standing) && newReturns(standing, shown).length === 0))
