import { type Charge, livePart, type PaidCharge, type PendingCharge, unsettledFailures } from "./Charge.ts"
import type { ChargeTerms } from "./ChargeTerms.ts"
import { payableAtBankUntil } from "./TermsRow.ts"
import type { Refund } from "./Refund.ts"

// Instants are epoch milliseconds.

type Watched = Pick<Charge, "createdAt" | "watchUntil" | "termsRows">

const second = 1_000
const hour = 3_600 * second
const day = 24 * hour
const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

/** Half the charge's age, from 45 s to an hour. */
export const paymentCheckIntervalMs = ({ createdAt }: Pick<ChargeTerms, "createdAt">, now: number): number =>
  clamp((now - createdAt) / 2, 45 * second, hour)

/** How far a payment can be ahead of the processor's answer. */
const expiryToleranceMs = 60 * second

/** Whether a look-up sent at this time and without a payment proves that the charge expired. */
export const provesExpiry = (terms: Omit<Watched, "createdAt">, sentAt: number): boolean =>
  sentAt > payableAtBankUntil(terms) + expiryToleranceMs

/** Right after the last moment to pay, then right after the watch, to find a payment of its last minute. */
const nextEndAt = (terms: Omit<Watched, "createdAt">, now: number): number => {
  const expiryAt = payableAtBankUntil(terms) + expiryToleranceMs + second
  return now < expiryAt ? expiryAt : Math.min(terms.watchUntil + second, now + day)
}

/** Undefined after `watchUntil`. */
export const nextPaymentCheckAt = (terms: Watched, now: number): number | undefined => {
  if (now >= terms.watchUntil) return undefined
  return Math.round(Math.min(now + paymentCheckIntervalMs(terms, now), nextEndAt(terms, now)))
}

/** Sweeps find payments. Only a look-up finds a removed, changed or expired charge. */
const lookUpAfterMs = 660 * second
const lookUpEachMs = 2 * day

const firstLookUpAt = (terms: Watched, now: number): number => {
  const usual = terms.createdAt + lookUpAfterMs
  return usual <= payableAtBankUntil(terms) ? usual : nextEndAt(terms, now)
}

/**
 * Eleven minutes after the charge's creation, every two days, and right after its watch. If expiries are published, also right
 * after its last moment to pay, and not on the day before.
 */
export const nextLookUpAt = (terms: Watched, now: number, publishesExpiry: boolean): number | undefined => {
  const { createdAt, watchUntil } = terms
  if (now >= watchUntil) return undefined
  if (now < createdAt + lookUpAfterMs) return firstLookUpAt(terms, now)
  const later = createdAt + lookUpEachMs * (Math.floor((now - createdAt) / lookUpEachMs) + 1)
  if (publishesExpiry) return Math.round(later <= payableAtBankUntil(terms) - day ? later : nextEndAt(terms, now))
  return Math.round(later < watchUntil ? later : watchUntil + second)
}

/** A new charge created longer ago than this was at the processor before. The clocks can differ by less. */
const takenOverAfterMs = 60_000

export const firstChecks = (
  terms: Watched,
  { now, isSwept }: { readonly now: number; readonly isSwept: boolean },
): Pick<PendingCharge, "checkAt" | "lookUpAt"> => {
  const isTakenOver = now - terms.createdAt > takenOverAfterMs
  const checkAt = isTakenOver ? now : nextPaymentCheckAt(terms, now)
  const lookUpAt = isSwept && !isTakenOver ? firstLookUpAt(terms, now) : undefined
  return { ...(checkAt !== undefined && { checkAt }), ...(lookUpAt !== undefined && { lookUpAt }) }
}

/** After half the refund's age, from 2 s to an hour. */
export const nextRefundCheckAt = (refund: Pick<Refund, "requestedAt">, now: number): number =>
  Math.round(now + clamp((now - refund.requestedAt) / 2, 2 * second, hour))

/** After two days, only the daily reconciliation looks for its return. */
export const nextFailedRefundCheckAt = (refund: Pick<Refund, "requestedAt">, now: number): number | undefined =>
  now - refund.requestedAt < 2 * day ? nextRefundCheckAt(refund, now) : undefined

/** Undefined unless a partial refund is under way or a refused refund has an unanswered call. */
export const nextPaidCheckAt = (charge: PaidCharge, now: number): number | undefined => {
  const live = livePart(charge)
  if (live !== undefined) return nextRefundCheckAt(live.refund, now)
  const moments = unsettledFailures(charge).flatMap((refund) => nextFailedRefundCheckAt(refund, now) ?? [])
  return moments.length === 0 ? undefined : Math.min(...moments)
}

/** After a 32nd of the time since `since`, from 2 s to an hour. */
export const deferredCheckAt = (since: number, now: number): number =>
  Math.round(now + clamp((now - since) / 32, 2 * second, hour))

/** When to repeat an unpaid charge's failed check. After the watch: after half the time since its end, from 45 s to a day. */
export const repeatedPaymentCheckAt = (terms: Watched, now: number): number =>
  nextPaymentCheckAt(terms, now) ?? Math.round(now + clamp((now - terms.watchUntil) / 2, 45 * second, day))

/** Failing checks end 30 days after the watch. An unanswered call doesn't count as a failure here. */
export const paymentChecksEndAt = ({ watchUntil }: Omit<Watched, "createdAt">): number => watchUntil + 30 * day
