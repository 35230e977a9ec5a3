import type { ChargeTerms } from "./Charge.ts"
import type { Refund } from "./Refund.ts"

const second = 1_000
const hour = 3_600 * second
const day = 24 * hour
const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

/**
 * When the processor should be asked about an unpaid charge whose notice may have been lost: at first every 45 s, then by
 * half its age, at most an hour apart, and no more after `watchUntil`. So a charge of ten minutes is asked about seven
 * times, and no number of unpaid charges floods the processor. Epoch milliseconds.
 */
export const nextPaymentCheckAt = (
  terms: Pick<ChargeTerms, "createdAt" | "watchUntil">,
  now: number,
): number | undefined => {
  if (now >= terms.watchUntil) return undefined
  const interval = clamp((now - terms.createdAt) / 2, 45 * second, hour)
  // The last look comes right after the watch ends, so that a payment of the last minute is seen.
  return Math.round(Math.min(now + interval, terms.watchUntil + second))
}

/** When a refund that hangs should be looked up again: 2 s after it was asked for, then by half its age, at most an hour. */
export const nextRefundCheckAt = (refund: Pick<Refund, "requestedAt">, now: number): number =>
  Math.round(now + clamp((now - refund.requestedAt) / 2, 2 * second, hour))

/**
 * When to look again whether a refund that was refused is carried out after all, because a call for it was never answered:
 * like one that hangs, for two days; afterwards the daily reconciliation finds it.
 */
export const nextFailedRefundCheckAt = (refund: Pick<Refund, "requestedAt">, now: number): number | undefined =>
  now - refund.requestedAt < 2 * day ? nextRefundCheckAt(refund, now) : undefined

/**
 * When to come back to a charge or refund that could not be asked about because its processor is silent: after a 32nd of
 * its age, 2 s to an hour.
 */
export const deferredCheckAt = (since: number, now: number): number =>
  Math.round(now + clamp((now - since) / 32, 2 * second, hour))

/**
 * When to ask again about an unpaid charge after a check that came to nothing: at its next turn, and when its watch has
 * ended, so that a payment of the last minute isn't lost, by half the time since, at most a day apart.
 */
export const repeatedPaymentCheckAt = (terms: Pick<ChargeTerms, "createdAt" | "watchUntil">, now: number): number =>
  nextPaymentCheckAt(terms, now) ?? Math.round(now + clamp((now - terms.watchUntil) / 2, 45 * second, day))

/** From when on a check that still fails is given up: 30 days after the watch. A silence is no such failure. */
export const paymentChecksEndAt = ({ watchUntil }: Pick<ChargeTerms, "watchUntil">): number => watchUntil + 30 * day
