/** How long to wait after the first failure, and at most. */
export interface BackOffRule {
  readonly firstMs: number
  readonly maxMs: number
}

/** The delay after one of `lastMs`, when the call has failed again: twice as long. */
export const nextDelayMs = ({ firstMs, maxMs }: BackOffRule, lastMs = 0): number =>
  Math.min(Math.max(2 * lastMs, firstMs), maxMs)

/** The delay after a number of failures in a row, from 1. */
export const delayMsAfter = ({ firstMs, maxMs }: BackOffRule, failures: number): number =>
  Math.min(firstMs * 2 ** (failures - 1), maxMs)

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

/** How many deliveries one endpoint is sent at once: what its receiver takes, as far as this process has learned it. */
export interface ConcurrencyLimit {
  /** Its whole part counts. */
  readonly atOnce: number
  /** How quickly it answers when it has little to do. */
  readonly bestLatencyMs: number
}

const minAtOnce = 4
const maxAtOnce = 64

/** What is assumed of an endpoint until it has answered. */
export const initialLimit: ConcurrencyLimit = { atOnce: minAtOnce, bestLatencyMs: Number.POSITIVE_INFINITY }

/** A receiver that has become slower for good is measured by its new speed after some thousand answers. */
const weightInBest = 0.001
const slackMs = 5

/**
 * The limit after one more attempt: half of it after a failure; one more for each round of answers that come about as
 * quickly as the best, as long as the limit is reached; and one less for each that take far longer.
 */
export const afterAttempt = (
  limit: ConcurrencyLimit,
  {
    hasFailed,
    latencyMs,
    isFull,
  }: { readonly hasFailed: boolean; readonly latencyMs: number; readonly isFull: boolean },
): ConcurrencyLimit => {
  if (hasFailed) return { ...limit, atOnce: Math.max(limit.atOnce / 2, minAtOnce) }
  const known = limit.bestLatencyMs === Number.POSITIVE_INFINITY ? latencyMs : limit.bestLatencyMs
  const bestLatencyMs = Math.min(latencyMs, known + (latencyMs - known) * weightInBest)
  const step = 1 / limit.atOnce
  const isNearBest = latencyMs <= 2 * bestLatencyMs + slackMs
  const change = isNearBest ? (isFull ? step : 0) : latencyMs > 4 * bestLatencyMs + slackMs ? -step : 0
  return { atOnce: Math.min(Math.max(limit.atOnce + change, minAtOnce), maxAtOnce), bestLatencyMs }
}
