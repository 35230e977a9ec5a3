import * as Result from "effect/Result"
import { type Charge, isSettledBy, livePart, type PaidCharge } from "./Charge.ts"
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
import { shownToPayers } from "./TermsRow.ts"
import type { ChargeNews } from "./chargeEvents.ts"
import { clearChecks, stamp, stay, type Transition } from "./Transition.ts"
import { nextPaidCheckAt, nextRefundCheckAt } from "./checkSchedule.ts"
import { type Command, decide } from "./decide.ts"

export interface ShownMoney {
  readonly payments: ReadonlyArray<Payment>
  readonly returns: ReadonlyArray<Return>
}

const joinTransitions = (first: Transition, then: Transition): Transition => {
  if (first === stay) return then
  const news = [...(first.news ?? []), ...(then.news ?? [])]
  return {
    ...first,
    ...then,
    payments: [...first.payments, ...then.payments],
    returns: [...first.returns, ...then.returns],
    ...(news.length > 0 && { news: withoutUndone(news) }),
  }
}

/** A charge whose money already went back is never published as paid (decision 23). */
const withoutUndone = (news: ReadonlyArray<ChargeNews>): ReadonlyArray<ChargeNews> =>
  news.some(({ kind }) => kind === "refunded") ? news.filter(({ kind }) => kind !== "paid") : news

/** Applies a whole view in one move, total and pure. If several partial refunds end, the transition names the last. */
export const decideView = (charge: Charge, { payments, returns }: ShownMoney, now: number): Transition => {
  let [state, whole] = [charge, stay]
  const take = (step: Transition) => {
    state = step.next ?? state
    whole = joinTransitions(whole, step)
  }
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

/** Marks a payment that is late or of another amount under all terms of the charge, and never drops it (decision 31). */
export const bookPayment = (
  charge: Pick<Charge, "id" | "payableUntil" | "termsRows">,
  notice: PaymentNotice,
  { recordedAt, isAmountDue }: { readonly recordedAt: number; readonly isAmountDue: boolean },
): Payment => ({
  ...notice,
  chargeId: charge.id,
  recordedAt,
  late: shownToPayers(charge).every(({ payableUntil }) => notice.paidAt > payableUntil),
  otherAmount: !isAmountDue,
})

export const bookUnmatched = (notice: PaymentNotice, recordedAt: number): Payment => ({
  ...notice,
  recordedAt,
  late: false,
  otherAmount: false,
})

/**
 * 0: our refund proves that the payment settled its charge. 1: we made no refund. 2: our refund proves that it was an
 * exception.
 */
const rank = (payment: Pick<Payment, "endToEndId">, returns: ReadonlyArray<Return>): number => {
  const ours = returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId)
  if (ours.some(isChargeRefund)) return 0
  return ours.some(isExceptionRefund) ? 2 : 1
}

/**
 * Whether we returned the payment as an exception. Then it settles no charge, even if books restored from a backup lack
 * that refund.
 */
export const wasException = (payment: Payment, returns: ReadonlyArray<Return>): boolean => rank(payment, returns) === 2

/** The settling payment first: proved by a refund of ours, or else the earliest. Former exceptions come last. */
export const bySettlement = <P extends PaymentNotice>(
  payments: ReadonlyArray<P>,
  returns: ReadonlyArray<Return>,
): ReadonlyArray<P> =>
  payments.toSorted(
    (a, b) => rank(a, returns) - rank(b, returns) || a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1),
  )

/**
 * Corrects the settling payment if our refunds prove that restored books chose the wrong one. A refund under way restarts.
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
