import * as Result from "effect/Result"
import { type Charge, type ChargeTerms, isSettledBy, livePart, type PaidCharge } from "./Charge.ts"
import { withPart } from "./PartialRefund.ts"
import type { Payment, Return } from "./Payment.ts"
import type { PaymentNotice } from "./PaymentNotice.ts"
import {
  chargeRefundId,
  isChargeRefund,
  isExceptionRefund,
  partialRefundId,
  type Refund,
  withoutCalls,
} from "./Refund.ts"
import { clearChecks, stamp, stay, type Transition } from "./Transition.ts"
import { nextPaidCheckAt, nextRefundCheckAt } from "./checkSchedule.ts"
import { type Command, decide } from "./decide.ts"

/** What is shown of a charge at once: payments that were made for it, and what went back of these. */
export interface ShownMoney {
  readonly payments: ReadonlyArray<Payment>
  readonly returns: ReadonlyArray<Return>
}

/** One change after the other, as one: what the last of them says of the move counts, and the facts of both. */
const both = (first: Transition, then: Transition): Transition =>
  first === stay
    ? then
    : {
        ...first,
        ...then,
        payments: [...first.payments, ...then.payments],
        returns: [...first.returns, ...then.returns],
      }

/**
 * What is shown at once is decided at once, total and pure like `decide`: a payment counts together with what went back of it,
 * so that a charge whose money is gone again is refunded, and was never published as paid (decision 23). So do the returns
 * that the charge has already. A return of any other payment is left out. Of several partial refunds that end by it the last is
 * changed: where the others stand follows from their returns.
 */
export const decideView = (charge: Charge, { payments, returns }: ShownMoney, now: number): Transition => {
  let [state, whole] = [charge, stay]
  const take = (step: Transition) => {
    state = step.next ?? state
    whole = both(whole, step)
  }
  // A fact is refused in no state.
  const apply = (command: Command) => take(Result.getOrThrow(decide(state, command, now)))
  const all = [...charge.returns, ...returns]
  const inOrder = bySettlement(payments, all)
  const [first] = inOrder
  const replaced = first === undefined ? stay : settleByAnother(charge, first, all, now)
  take(replaced)
  for (const payment of inOrder) {
    if (isSettledBy(charge, payment.endToEndId)) continue
    if (state._tag === "Pending" && wasException(payment, all)) take({ ...stay, payments: [payment] })
    else apply({ _tag: "ConfirmPayment", payment })
  }
  for (const returned of all) {
    const isShown = payments.some(({ endToEndId }) => endToEndId === returned.endToEndId)
    if (isShown || isSettledBy(state, returned.endToEndId)) apply({ _tag: "RecordReturn", returned })
  }
  const { next } = whole
  const version = charge.version + 1
  return next === undefined || next.version === version ? whole : { ...whole, next: { ...next, version } }
}

/**
 * A payment of a charge as it is kept. What is odd about it is noted, and never a reason to drop it (decision 31);
 * `isAmountDue` says whether this much was due on its day.
 */
export const bookPayment = (
  { id, payableUntil }: Pick<ChargeTerms, "id" | "payableUntil">,
  notice: PaymentNotice,
  { recordedAt, isAmountDue }: { readonly recordedAt: number; readonly isAmountDue: boolean },
): Payment => ({
  ...notice,
  chargeId: id,
  recordedAt,
  late: notice.paidAt > payableUntil,
  otherAmount: !isAmountDue,
})

/** A payment of no charge that is known, as it is kept. */
export const bookUnmatched = (notice: PaymentNotice, recordedAt: number): Payment => ({
  ...notice,
  recordedAt,
  late: false,
  otherAmount: false,
})

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
const bySettlement = (payments: ReadonlyArray<Payment>, returns: ReadonlyArray<Return>): ReadonlyArray<Payment> =>
  payments.toSorted(
    (a, b) => rank(a, returns) - rank(b, returns) || a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1),
  )

/**
 * Settles a charge by another payment, because our refunds say so: restored books took the wrong one of two. A refund that is under way
 * is restarted for this payment, and ends at once where it has returned it already.
 */
const settleByAnother = (charge: Charge, payment: Payment, returns: ReadonlyArray<Return>, now: number): Transition => {
  if (charge._tag !== "Paid" && charge._tag !== "Refunding") return stay
  if (rank(payment, returns) >= rank(charge.payment, returns)) return stay
  const restart = (refund: Refund, id: string): Refund => ({ ...withoutCalls(refund), id, attempt: 1 })
  const live = livePart(charge)
  const part = live && { ...live, refund: restart(live.refund, partialRefundId(payment, live.key, 1)) }
  const settled = {
    ...stamp(charge, now),
    payment,
    returns: charge.returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId),
    ...(part && { partialRefunds: withPart(charge.partialRefunds, part) }),
  }
  const step = { ...stay, payments: [payment], ...(part && { partialRefund: part }) }
  if (charge._tag === "Refunding") {
    const refund = restart(charge.refund, chargeRefundId(payment, 1))
    return { ...step, next: { ...charge, ...settled, refund, checkAt: nextRefundCheckAt(refund, now) } }
  }
  const { failedRefund: _, ...rest } = clearChecks(charge)
  const paid: PaidCharge = { ...rest, ...settled }
  const checkAt = nextPaidCheckAt(paid, now)
  return { ...step, next: { ...paid, ...(checkAt !== undefined && { checkAt }) } }
}
