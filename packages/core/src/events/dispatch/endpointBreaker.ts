import {
  afterFailure,
  type BreakerRule,
  type CircuitBreaker,
  closedBreaker,
} from "../../runtime/breaker/CircuitBreaker.ts"
import type { DeliveryOutcome } from "../../ports/CallbackDelivery.ts"

/** The cool-down is far shorter than the retry schedule's steps, so that it never decides when an event dies. */
const rule: BreakerRule = { failuresToOpen: 5, firstMs: 5_000, maxMs: 60_000 }

/** No answer, or one that speaks of the receiver's own trouble; another refusal is about the event, and shows it alive. */
export const isFailure = (outcome: DeliveryOutcome): boolean => {
  if (outcome._tag !== "Retry") return false
  const { status } = outcome
  return status === undefined || status >= 500 || status === 408 || status === 429
}

const requestedCoolDownMs = (outcome: DeliveryOutcome): number | undefined =>
  outcome._tag === "Retry" && (outcome.status === 429 || outcome.status === 503) ? outcome.retryAfterMs : undefined

/** An endpoint's breaker after one more outcome. */
export const afterOutcome = (breaker: CircuitBreaker, outcome: DeliveryOutcome, now: number): CircuitBreaker =>
  isFailure(outcome) ? afterFailure(breaker, rule, now, requestedCoolDownMs(outcome)) : closedBreaker
