import { type BackOffRule, delayMsAfter } from "../backOff.ts"

/** What one process knows of a peer's failures. One that keeps failing is left alone, then tried by one probe. */
export interface CircuitBreaker {
  /** Failures in a row. */
  readonly failures: number
  /** Nothing is sent before this moment, and one at a time after it until something succeeds; 0 while it is healthy. */
  readonly restsUntil: number
}

/** When a circuit opens, and for how long: each failed probe doubles its rest. */
export interface BreakerRule extends BackOffRule {
  /** This many failures in a row open it. */
  readonly failuresToOpen: number
}

/** Of a peer that is healthy, as far as is known. */
export const closedBreaker: CircuitBreaker = { failures: 0, restsUntil: 0 }

/**
 * The breaker after one more failure. A peer may ask for a rest of its own (`Retry-After`), which opens the circuit at once.
 * `now` is in milliseconds of whichever clock `restsUntil` is on.
 */
export const afterFailure = (breaker: CircuitBreaker, rule: BreakerRule, now: number, askedMs = 0): CircuitBreaker => {
  // What was under way when it opened says nothing new.
  if (now < breaker.restsUntil) return breaker
  const failures = breaker.failures + 1
  const probes = failures - rule.failuresToOpen
  const restMs = probes < 0 ? 0 : delayMsAfter(rule, probes + 1)
  if (restMs === 0 && askedMs === 0) return { failures, restsUntil: 0 }
  return { failures, restsUntil: now + Math.min(Math.max(restMs, askedMs), rule.maxMs) }
}

/** How many calls may be under way at once: none while it rests, one as a probe, `most` while it is healthy. */
export const allowedAtOnce = ({ restsUntil }: CircuitBreaker, now: number, most: number): number =>
  restsUntil === 0 ? most : now < restsUntil ? 0 : 1
