import type { Cents } from "../../money/Money.ts"
import type { Charge, PaidCharge, RefundedCharge, RefundingCharge } from "./Charge.ts"
import { failedPart, type PartialRefund, partialRefundStatus } from "./PartialRefund.ts"
import { type Return, returnedCents } from "./Payment.ts"
import { type FailedRefund, mayStillBeCarriedOut, refundableUntil } from "./Refund.ts"
import { isSameRefund, partialRefundId } from "./RefundId.ts"

/** A charge that has its payment. */
export type SettledCharge = PaidCharge | RefundingCharge | RefundedCharge

/** Whether the payment is the one that settled the charge. */
export const isSettledBy = (charge: Charge, endToEndId: string): boolean =>
  "payment" in charge && charge.payment.endToEndId === endToEndId

/** The parts of a charge that have not gone back, under way or failed. */
const listUnreturned = ({ partialRefunds = [], returns }: Charge): ReadonlyArray<PartialRefund> =>
  partialRefunds.filter((part) => partialRefundStatus(part, returns) !== "returned")

/** The part of this key, if the books have it. */
export const findPart = ({ partialRefunds }: Charge, key: string): PartialRefund | undefined =>
  partialRefunds?.find((part) => part.key === key)

/** What went back under this key, whether or not the books have its part. */
export const returnByKey = ({ payment, returns }: SettledCharge, key: string): Return | undefined => {
  const own = { id: partialRefundId(payment, key, 1) }
  return returns.find((returned) => isSameRefund(returned, own))
}

/** For how many cents this key stands: as many as went back under it, or else as were asked for. Undefined for a new key. */
export const keyCents = (charge: SettledCharge, key: string): Cents | undefined =>
  (returnByKey(charge, key) ?? findPart(charge, key))?.amountCents

/** The part that is under way: one at most. */
export const livePart = (charge: Charge): PartialRefund | undefined =>
  listUnreturned(charge).find(({ rejection }) => rejection === undefined)

/** The part that may still return money at this moment: the one under way, or one of whose calls nobody knows what became. */
export const openPart = (charge: Charge, now: number): PartialRefund | undefined =>
  listUnreturned(charge).find(({ refund, rejection }) => rejection === undefined || mayStillBeCarriedOut(refund, now))

/** The refunds of a paid charge that failed and may not have: a call for them has no answer. */
export const unsettledFailures = (charge: PaidCharge): ReadonlyArray<FailedRefund> =>
  [charge.failedRefund, ...listUnreturned(charge).map(failedPart)].filter(
    (refund): refund is FailedRefund => refund?.unanswered?.[0] !== undefined,
  )

/** What of the payment can still be asked back at this moment: what was paid, less what went back or may be on its way. */
export const refundableCents = (charge: Charge, now: number): number => {
  if (charge._tag !== "Paid") return 0
  const { payment, returns, failedRefund } = charge
  if (now > refundableUntil(payment.paidAt)) return 0
  if (failedRefund !== undefined && mayStillBeCarriedOut(failedRefund, now)) return 0
  const onItsWay = openPart(charge, now)?.amountCents ?? 0
  return Math.max(0, payment.amountCents - returnedCents(payment.endToEndId, returns) - onItsWay)
}
