import { type ChargeTerms, livePart, type PaidCharge, type PendingCharge, unsettledFailures } from "./Charge.ts"
import type { Refund } from "./Refund.ts"

const second = 1_000
const hour = 3_600 * second
const day = 24 * hour
const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

/** The time between checks of an unpaid charge: half its age, from 45 s to an hour. Milliseconds. */
export const paymentCheckIntervalMs = ({ createdAt }: Pick<ChargeTerms, "createdAt">, now: number): number =>
  clamp((now - createdAt) / 2, 45 * second, hour)

/**
 * When to check an unpaid charge next, in case its notice was lost (`paymentCheckIntervalMs`); undefined after `watchUntil`. Epoch
 * milliseconds.
 */
export const nextPaymentCheckAt = (
  terms: Pick<ChargeTerms, "createdAt" | "watchUntil">,
  now: number,
): number | undefined => {
  if (now >= terms.watchUntil) return undefined
  // The last check comes right after the watch ends and finds a payment of the last minute.
  return Math.round(Math.min(now + paymentCheckIntervalMs(terms, now), terms.watchUntil + second))
}

/** Sweeps find payments. Only a look-up finds a removed or changed charge; the first one comes at this age. */
const lookUpAfterMs = 600 * second
/** The interval of further look-ups, longer than the watch of an immediate charge with the default lifetime. */
const lookUpEachMs = 2 * day

/**
 * When to look up an unpaid charge without a special reason: ten minutes after its creation, every two days, and for the last time
 * right after its watch. Epoch milliseconds.
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

/** A tolerance, because the processor's creation time comes from its own clock, in whole seconds. */
const takenOverAfterMs = 60_000

/** When to check a new charge first, and when to look it up if sweeps find its payments. */
export const firstChecks = (
  terms: Pick<ChargeTerms, "createdAt" | "watchUntil">,
  { now, isSwept }: { readonly now: number; readonly isSwept: boolean },
): Pick<PendingCharge, "checkAt" | "lookUpAt"> => {
  // The processor had this charge before. It can be paid already, and its notice can have come while we didn't know the charge.
  const isTakenOver = now - terms.createdAt > takenOverAfterMs
  const checkAt = isTakenOver ? now : nextPaymentCheckAt(terms, now)
  const lookUpAt = isSwept && !isTakenOver ? nextLookUpAt(terms, now) : undefined
  return { ...(checkAt !== undefined && { checkAt }), ...(lookUpAt !== undefined && { lookUpAt }) }
}

/** When to look up an unanswered refund next: after half its age, from 2 s to an hour. Epoch milliseconds. */
export const nextRefundCheckAt = (refund: Pick<Refund, "requestedAt">, now: number): number =>
  Math.round(now + clamp((now - refund.requestedAt) / 2, 2 * second, hour))

/**
 * When to look up a refused refund with an unanswered call, which the processor can still carry out: like an unanswered refund, for two
 * days. After that the daily reconciliation finds its return. Epoch milliseconds.
 */
export const nextFailedRefundCheckAt = (refund: Pick<Refund, "requestedAt">, now: number): number | undefined =>
  now - refund.requestedAt < 2 * day ? nextRefundCheckAt(refund, now) : undefined

/**
 * When to check a paid charge; undefined unless a partial refund is under way or a refused refund has an unanswered call. Epoch
 * milliseconds.
 */
export const nextPaidCheckAt = (charge: PaidCharge, now: number): number | undefined => {
  const live = livePart(charge)
  if (live !== undefined) return nextRefundCheckAt(live.refund, now)
  const moments = unsettledFailures(charge).flatMap((refund) => nextFailedRefundCheckAt(refund, now) ?? [])
  return moments.length === 0 ? undefined : Math.min(...moments)
}

/** When to repeat a check that the processor didn't answer: after a 32nd of its age, from 2 s to an hour. Epoch milliseconds. */
export const deferredCheckAt = (since: number, now: number): number =>
  Math.round(now + clamp((now - since) / 32, 2 * second, hour))

/**
 * When to repeat a failed check of an unpaid charge: at its next turn, and after the watch at half the time since its end, from 45 s to
 * a day. That finds a payment of the last minute. Epoch milliseconds.
 */
export const repeatedPaymentCheckAt = (terms: Pick<ChargeTerms, "createdAt" | "watchUntil">, now: number): number =>
  nextPaymentCheckAt(terms, now) ?? Math.round(now + clamp((now - terms.watchUntil) / 2, 45 * second, day))

/** When checks that still fail end: 30 days after the watch. An unanswered call is no failure here. Epoch milliseconds. */
export const paymentChecksEndAt = ({ watchUntil }: Pick<ChargeTerms, "watchUntil">): number => watchUntil + 30 * day
