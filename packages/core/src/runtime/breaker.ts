export interface BackOffRule {
  readonly firstMs: number
  readonly maxMs: number
}

export const nextDelayMs = ({ firstMs, maxMs }: BackOffRule, lastMs = 0): number =>
  Math.min(Math.max(2 * lastMs, firstMs), maxMs)

/** `failures` counts from 1. */
export const delayMsAfter = ({ firstMs, maxMs }: BackOffRule, failures: number): number =>
  Math.min(firstMs * 2 ** (failures - 1), maxMs)

/** A failing peer gets no calls, then one probe. */
export interface CircuitBreaker {
  readonly failures: number
  /** No call before this time of the monotonic clock, then one at a time until one succeeds. 0 while healthy. */
  readonly coolDownUntil: number
}

/** Each failed probe doubles the cool-down. */
export interface BreakerRule extends BackOffRule {
  /** Failures in a row that open the breaker. */
  readonly failuresToOpen: number
}

export const closedBreaker: CircuitBreaker = { failures: 0, coolDownUntil: 0 }

/**
 * A peer's own cool-down (`Retry-After`) opens the breaker immediately. `now` is in monotonic milliseconds.
 */
export const afterFailure = (
  breaker: CircuitBreaker,
  rule: BreakerRule,
  now: number,
  requestedMs = 0,
): CircuitBreaker => {
  // The call began before the breaker opened.
  if (now < breaker.coolDownUntil) return breaker
  const failures = breaker.failures + 1
  const probes = failures - rule.failuresToOpen
  const coolDownMs = probes < 0 ? 0 : delayMsAfter(rule, probes + 1)
  if (coolDownMs === 0 && requestedMs === 0) return { failures, coolDownUntil: 0 }
  return { failures, coolDownUntil: now + Math.min(Math.max(coolDownMs, requestedMs), rule.maxMs) }
}

/** Allowed concurrent calls: 0 during the cool-down, 1 as a probe, `max` while healthy. */
export const allowedAtOnce = ({ coolDownUntil }: CircuitBreaker, now: number, max: number): number =>
  coolDownUntil === 0 ? max : now < coolDownUntil ? 0 : 1

export interface ConcurrencyLimit {
  readonly atOnce: number
  /** The endpoint's latency under little load, in milliseconds. */
  readonly bestLatencyMs: number
}

const minAtOnce = 4
const maxAtOnce = 64

export const initialLimit: ConcurrencyLimit = { atOnce: minAtOnce, bestLatencyMs: Number.POSITIVE_INFINITY }

/** After some thousand slower answers, their latency becomes the best. */
const weightInBest = 0.001
const slackMs = 5

/**
 * A failure halves the limit. A round of answers about as quick as the best adds 1 if the limit was reached; a round of far
 * slower answers takes 1 away.
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
