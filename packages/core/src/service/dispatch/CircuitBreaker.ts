import type { DeliveryOutcome } from "../../ports/CallbackDelivery.ts"

/** What one process knows of an endpoint's failures. One that keeps failing is left alone, then tried by one probe. */
export interface CircuitBreaker {
  /** Failures in a row. */
  readonly failures: number
  /** Nothing is sent before this moment, and one at a time after it until something succeeds; 0 while it is healthy. */
  readonly restsUntil: number
}

export const closedBreaker: CircuitBreaker = { failures: 0, restsUntil: 0 }

const failuresToOpen = 5
const firstRestMs = 5_000
// Far below the retry schedule's steps, so that a rest never decides when an event dies.
const longestRestMs = 60_000

/** No answer, or one that speaks of the receiver's own trouble; another refusal is about the event, and shows it alive. */
export const isFailure = (outcome: DeliveryOutcome): boolean => {
  if (outcome._tag !== "Retry") return false
  const { status } = outcome
  return status === undefined || status >= 500 || status === 408 || status === 429
}

const wantsRest = (outcome: DeliveryOutcome): number =>
  outcome._tag === "Retry" && (outcome.status === 429 || outcome.status === 503) ? (outcome.retryAfterMs ?? 0) : 0

/** The breaker after one more outcome: five failures in a row open it for 5 s, each failed probe for twice as long. */
export const afterOutcome = (breaker: CircuitBreaker, outcome: DeliveryOutcome, now: number): CircuitBreaker => {
  if (!isFailure(outcome)) return closedBreaker
  // What was under way when it opened says nothing new.
  if (now < breaker.restsUntil) return breaker
  const failures = breaker.failures + 1
  const doublings = Math.min(failures - failuresToOpen, 10)
  const restMs = doublings < 0 ? 0 : firstRestMs * 2 ** doublings
  const askedMs = wantsRest(outcome)
  if (restMs === 0 && askedMs === 0) return { failures, restsUntil: 0 }
  return { failures, restsUntil: now + Math.min(Math.max(restMs, askedMs), longestRestMs) }
}

/** How many deliveries may be under way at once: none while it rests, one as a probe, `most` while it is healthy. */
export const allowedAtOnce = ({ restsUntil }: CircuitBreaker, now: number, most: number): number =>
  restsUntil === 0 ? most : now < restsUntil ? 0 : 1
