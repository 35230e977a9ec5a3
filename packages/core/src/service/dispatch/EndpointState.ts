import type { DeliveryOutcome } from "../../ports/CallbackDelivery.ts"
import type { DueDelivery } from "../../ports/Outbox.ts"
import { afterOutcome, allowedAtOnce, type CircuitBreaker, closedBreaker, isFailure } from "./CircuitBreaker.ts"
import { afterAttempt, type ConcurrencyLimit, initialLimit } from "./ConcurrencyLimit.ts"
import type { EndpointQueue } from "./EndpointQueue.ts"

// Moments are milliseconds of the monotonic clock, here and in `EndpointQueue`.

/** What one process knows of an endpoint and does for it, in all queues that lead there. */
export interface EndpointState {
  readonly endpointId: string
  /** Those that this process leases, the one whose turn is next first. */
  readonly queues: Set<EndpointQueue>
  /** Attempts under way, oldest first, with the moment at which each began. */
  readonly active: Map<DueDelivery, number>
  breaker: CircuitBreaker
  limit: ConcurrencyLimit
  /** It takes nothing (paused, disabled, unreadable), and is looked up again then. */
  paused?: { readonly until: number; readonly ms: number }
  /** The last claim was to bring nothing for it, because it had enough. */
  isSatisfied: boolean
  usedAt: number
}

export const newEndpoint = (endpointId: string, now: number): EndpointState => ({
  endpointId,
  queues: new Set(),
  active: new Map(),
  breaker: closedBreaker,
  limit: initialLimit,
  isSatisfied: false,
  usedAt: now,
})

/** Whether deliveries may be sent to it now. */
export const isOpen = ({ paused, breaker }: EndpointState, now: number): boolean =>
  paused === undefined && now >= breaker.restsUntil

/** How many more attempts may begin, of at most so many at once. */
export const roomFor = ({ paused, breaker, limit, active }: EndpointState, now: number, most: number): number =>
  paused === undefined ? allowedAtOnce(breaker, now, Math.min(most, Math.floor(limit.atOnce))) - active.size : 0

const mostReady = 512
/** Less than a delivery stays fresh. */
const horizonMs = 700

/** How many deliveries should be at hand: what its receiver takes within this time. The rest would wait in vain. */
export const demand = (endpoint: EndpointState, now: number, most: number): number => {
  const { breaker, limit, active } = endpoint
  const room = Math.max(roomFor(endpoint, now, most), 0)
  if (!isOpen(endpoint, now) || breaker.restsUntil !== 0) return room
  const [oldest = now] = active.values()
  // One that hangs now is as slow as it hangs.
  const slowest = Math.max(limit.latencyMs, now - oldest, 1)
  return Math.min(Math.max(Math.floor((limit.atOnce * horizonMs) / slowest), room), mostReady)
}

/** Learns from an attempt that has ended. */
export const learn = (
  endpoint: EndpointState,
  delivery: DueDelivery,
  { outcome, latencyMs, now }: { readonly outcome: DeliveryOutcome; readonly latencyMs: number; readonly now: number },
): void => {
  const full = endpoint.active.size >= Math.floor(endpoint.limit.atOnce)
  endpoint.active.delete(delivery)
  endpoint.breaker = afterOutcome(endpoint.breaker, outcome, now)
  endpoint.limit = afterAttempt(endpoint.limit, { failed: isFailure(outcome), latencyMs, full })
  endpoint.usedAt = now
}

const firstPauseMs = 1_000
const longestPauseMs = 4_000

/** Leaves it alone until it is looked up again, for twice as long as the last time if it still takes nothing. */
export const pause = (endpoint: EndpointState, now: number): void => {
  const { paused } = endpoint
  const ms = paused === undefined ? firstPauseMs : Math.min(paused.ms * 2, longestPauseMs)
  endpoint.paused = { until: now + ms, ms }
}

/** For how long what is known of an endpoint is worth keeping. */
const memoryMs = 60_000

export const isForgettable = ({ queues, paused, breaker, usedAt }: EndpointState, now: number): boolean =>
  queues.size === 0 && paused === undefined && now > Math.max(usedAt, breaker.restsUntil) + memoryMs
