import type { Charge, PaidCharge } from "./Charge.ts"
import { livePart } from "./chargeParts.ts"
import { nextPaidCheckAt, nextRefundCheckAt } from "./checkSchedule.ts"
import { withPart } from "./PartialRefund.ts"
import type { Payment, Return } from "./Payment.ts"
import { type Refund, withoutCalls } from "./Refund.ts"
import { chargeRefundId, isChargeRefund, isExceptionRefund, partialRefundId } from "./RefundId.ts"
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
 * have forgotten that refund, and otherwise the earliest; those that were exceptions come last. The order in which a bank shows them
 * means nothing.
 */
export const bySettlement = (
  payments: ReadonlyArray<Payment>,
  returns: ReadonlyArray<Return>,
): ReadonlyArray<Payment> =>
  payments.toSorted(
    (a, b) => rank(a, returns) - rank(b, returns) || a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1),
  )

/**
 * Settles a charge by another payment, because our refunds say so: restored books took the wrong one of two. A refund that is under way
 * goes on for this payment, and ends at once where it has returned it already.
 */
export const settleByAnother = (
  charge: Charge,
  payment: Payment,
  returns: ReadonlyArray<Return>,
  now: number,
): Transition => {
  if (charge._tag !== "Paid" && charge._tag !== "Refunding") return stay
  if (rank(payment, returns) >= rank(charge.payment, returns)) return stay
  const goOn = (refund: Refund, id: string): Refund => ({ ...withoutCalls(refund), id, attempt: 1 })
  const live = livePart(charge)
  const part = live && { ...live, refund: goOn(live.refund, partialRefundId(payment, live.key, 1)) }
  const settled = {
    ...stamp(charge, now),
    payment,
    returns: charge.returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId),
    ...(part && { partialRefunds: withPart(charge.partialRefunds, part) }),
  }
  const step = { ...stay, payments: [payment], ...(part && { partialRefund: part }) }
  if (charge._tag === "Refunding") {
    const refund = goOn(charge.refund, chargeRefundId(payment, 1))
    return { ...step, next: { ...charge, ...settled, refund, checkAt: nextRefundCheckAt(refund, now) } }
  }
  const { failedRefund: _, ...rest } = clearChecks(charge)
  const paid: PaidCharge = { ...rest, ...settled }
  const checkAt = nextPaidCheckAt(paid, now)
  return { ...step, next: { ...paid, ...(checkAt !== undefined && { checkAt }) } }
}
