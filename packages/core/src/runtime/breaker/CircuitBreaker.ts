import { type BackOffRule, delayMsAfter } from "../backOff.ts"

/** What one process knows of a peer's failures. One that keeps failing is left alone, then tried by one probe. */
export interface CircuitBreaker {
  /** Failures in a row. */
  readonly failures: number
  /** Nothing is sent before this moment, and one call at a time after it until one succeeds; 0 while it is healthy. */
  readonly coolDownUntil: number
}

/** When a circuit opens, and for how long: each failed probe doubles its cool-down. */
export interface BreakerRule extends BackOffRule {
  /** This many failures in a row open it. */
  readonly failuresToOpen: number
}

/** Of a peer that is healthy, as far as is known. */
export const closedBreaker: CircuitBreaker = { failures: 0, coolDownUntil: 0 }

/**
 * The breaker after one more failure. A peer may ask for a cool-down of its own (`Retry-After`), which opens the circuit at once.
 * `now` is in milliseconds of the clock of `coolDownUntil`.
 */
export const afterFailure = (
  breaker: CircuitBreaker,
  rule: BreakerRule,
  now: number,
  requestedMs = 0,
): CircuitBreaker => {
  // What was under way when it opened says nothing new.
  if (now < breaker.coolDownUntil) return breaker
  const failures = breaker.failures + 1
  const probes = failures - rule.failuresToOpen
  const coolDownMs = probes < 0 ? 0 : delayMsAfter(rule, probes + 1)
  if (coolDownMs === 0 && requestedMs === 0) return { failures, coolDownUntil: 0 }
  return { failures, coolDownUntil: now + Math.min(Math.max(coolDownMs, requestedMs), rule.maxMs) }
}

/** How many calls may be under way at once: none during the cool-down, one as a probe, `max` while it is healthy. */
export const allowedAtOnce = ({ coolDownUntil }: CircuitBreaker, now: number, max: number): number =>
  coolDownUntil === 0 ? max : now < coolDownUntil ? 0 : 1
