import { type ChargeTerms, livePart, type PaidCharge, type PendingCharge, unsettledFailures } from "./Charge.ts"
import type { Refund } from "./Refund.ts"

const second = 1_000
const hour = 3_600 * second
const day = 24 * hour
const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

/** How long after a check of an unpaid charge the next one comes: 45 s at first, then half its age, an hour at most. Milliseconds. */
export const paymentCheckIntervalMs = ({ createdAt }: Pick<ChargeTerms, "createdAt">, now: number): number =>
  clamp((now - createdAt) / 2, 45 * second, hour)

/**
 * When to check an unpaid charge whose notice may have been lost: at first every 45 s, then after half its age, at most an
 * hour apart, and no more after `watchUntil`. Epoch milliseconds.
 */
export const nextPaymentCheckAt = (
  terms: Pick<ChargeTerms, "createdAt" | "watchUntil">,
  now: number,
): number | undefined => {
  if (now >= terms.watchUntil) return undefined
  // The last look comes right after the watch ends, so that a payment of the last minute is seen.
  return Math.round(Math.min(now + paymentCheckIntervalMs(terms, now), terms.watchUntil + second))
}

/** Sweeps find payments. What only a look-up tells (removed, on other terms) is asked at this age of the charge. */
const lookUpAfterMs = 600 * second
/** And again at this interval, which is longer than an immediate charge is watched. */
const lookUpEachMs = 2 * day

/**
 * When to look up an unpaid charge for which nobody has a reason: ten minutes after it was made, every two days, and right after
 * its watch, not later. Epoch milliseconds.
 */
export const nextLookUpAt = (
  { createdAt, watchUntil }: Pick<ChargeTerms, "createdAt" | "watchUntil">,
  now: number,
): number | undefined => {
  if (now >= watchUntil) return undefined
  const first = createdAt + lookUpAfterMs
  const later = createdAt + lookUpEachMs * (Math.floor((now - createdAt) / lookUpEachMs) + 1)
  const next = now < first ? first : later
  return Math.round(next < watchUntil ? next : watchUntil + second)
}

/** The processor may say when it made a charge in whole seconds, by a clock of its own. */
const takenOverAfterMs = 60_000

/** When a new charge is checked first, and looked up at the latest if its company's payments are swept. */
export const firstChecks = (
  terms: Pick<ChargeTerms, "createdAt" | "watchUntil">,
  { now, isSwept }: { readonly now: number; readonly isSwept: boolean },
): Pick<PendingCharge, "checkAt" | "lookUpAt"> => {
  // One that was there before may be paid already, and its notice may have come when nobody knew it here.
  const isTakenOver = now - terms.createdAt > takenOverAfterMs
  const checkAt = isTakenOver ? now : nextPaymentCheckAt(terms, now)
  const lookUpAt = isSwept && !isTakenOver ? nextLookUpAt(terms, now) : undefined
  return { ...(checkAt !== undefined && { checkAt }), ...(lookUpAt !== undefined && { lookUpAt }) }
}

/** When to look up a refund without an answer: 2 s after its request, then after half its age, at most an hour. Epoch milliseconds. */
export const nextRefundCheckAt = (refund: Pick<Refund, "requestedAt">, now: number): number =>
  Math.round(now + clamp((now - refund.requestedAt) / 2, 2 * second, hour))

/**
 * When to look whether a refused refund was carried out after all, because a call for it has no answer: like one without
 * an answer, for two days; later the daily reconciliation finds it. Epoch milliseconds.
 */
export const nextFailedRefundCheckAt = (refund: Pick<Refund, "requestedAt">, now: number): number | undefined =>
  now - refund.requestedAt < 2 * day ? nextRefundCheckAt(refund, now) : undefined

/**
 * When to check a paid charge: while a partial refund is under way, and while a refund that was refused may be carried out
 * after all. Epoch milliseconds.
 */
export const nextPaidCheckAt = (charge: PaidCharge, now: number): number | undefined => {
  const live = livePart(charge)
  if (live !== undefined) return nextRefundCheckAt(live.refund, now)
  const moments = unsettledFailures(charge).flatMap((refund) => nextFailedRefundCheckAt(refund, now) ?? [])
  return moments.length === 0 ? undefined : Math.min(...moments)
}

/**
 * When to check what was not checked because its processor does not answer: after a 32nd of its age, 2 s to an hour. Epoch
 * milliseconds.
 */
export const deferredCheckAt = (since: number, now: number): number =>
  Math.round(now + clamp((now - since) / 32, 2 * second, hour))

/**
 * When to repeat a check of an unpaid charge that failed: at its next turn, and after its watch by half the time since, at
 * most a day apart, so that a payment of the last minute is found. Epoch milliseconds.
 */
export const repeatedPaymentCheckAt = (terms: Pick<ChargeTerms, "createdAt" | "watchUntil">, now: number): number =>
  nextPaymentCheckAt(terms, now) ?? Math.round(now + clamp((now - terms.watchUntil) / 2, 45 * second, day))

/** When checks that still fail end: 30 days after the watch. A call without an answer is no such failure. Epoch milliseconds. */
export const paymentChecksEndAt = ({ watchUntil }: Pick<ChargeTerms, "watchUntil">): number => watchUntil + 30 * day
