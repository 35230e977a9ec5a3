import type { Charge, PaidCharge } from "./Charge.ts"
import { livePart } from "./chargeParts.ts"
import { nextPaidCheckAt } from "./checkSchedule.ts"
import { withPart } from "./PartialRefund.ts"
import type { Payment, Return } from "./Payment.ts"
import { isChargeRefund, isExceptionRefund, partialRefundId } from "./RefundId.ts"
import { clearChecks, stamp, stay, type Transition } from "./Transition.ts"

/** What our refunds say of a payment: 0, it settled its charge; 2, it was an exception; 1, they say nothing. */
const rank = (payment: Payment, returns: ReadonlyArray<Return>): number => {
  const ours = returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId)
  if (ours.some(isChargeRefund)) return 0
  return ours.some(isExceptionRefund) ? 2 : 1
}

/** Whether a refund of ours returned the payment as an exception: it settles no charge, also where the books have forgotten that refund. */
export const wasException = (payment: Payment, returns: ReadonlyArray<Return>): boolean => rank(payment, returns) === 2

/**
 * The payments of a charge with the one that settles it first: the payment that a refund of the charge returned, also where the books
 * have forgotten that refund, and otherwise the earliest. The order in which a bank shows them means nothing.
 */
export const bySettlement = (
  payments: ReadonlyArray<Payment>,
  returns: ReadonlyArray<Return>,
): ReadonlyArray<Payment> =>
  payments.toSorted(
    (a, b) => rank(a, returns) - rank(b, returns) || a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1),
  )

/**
 * Settles a charge by another payment, because our refunds say so: restored books took the wrong one of two. A refund that was asked
 * for meanwhile has returned this payment already, and isn't ordered for the other one.
 */
export const settleByAnother = (
  charge: Charge,
  payment: Payment,
  returns: ReadonlyArray<Return>,
  now: number,
): Transition => {
  if (charge._tag !== "Paid" && charge._tag !== "Refunding") return stay
  if (rank(payment, returns) >= rank(charge.payment, returns)) return stay
  const {
    refund: _,
    failedRefund: __,
    ...rest
  } = { refund: undefined, failedRefund: undefined, ...clearChecks(charge) }
  const live = livePart(charge)
  const { attempt = 1 } = live?.refund ?? {}
  const part = live && { ...live, refund: { ...live.refund, id: partialRefundId(payment, live.key, attempt) } }
  const paid: PaidCharge = {
    ...rest,
    ...stamp(charge, now),
    _tag: "Paid",
    payment,
    returns: charge.returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId),
    ...(part && { partialRefunds: withPart(charge.partialRefunds, part) }),
  }
  const checkAt = nextPaidCheckAt(paid, now)
  return {
    ...stay,
    next: { ...paid, ...(checkAt !== undefined && { checkAt }) },
    payments: [payment],
    ...(part && { partialRefund: part }),
    ...(charge._tag === "Refunding" && { unsent: "restore" }),
  }
}
