import type { ClaimedDelivery } from "../../ports/Outbox.ts"
import { allowedAtOnce, type CircuitBreaker, closedBreaker } from "./CircuitBreaker.ts"

/** A delivery that this process holds the lease of. */
export interface Held {
  readonly claim: ClaimedDelivery
  /** When the store gave the lease: milliseconds of the monotonic clock. */
  readonly claimedAt: number
}

/** What one process has in hand for one endpoint. Every endpoint has its own lane, so that none waits for another. */
export interface Lane {
  readonly endpointId: string
  /** Waiting for their turn, oldest first. */
  queue: Array<Held>
  /** Attempts under way, oldest first, with the moment of the monotonic clock at which each began. */
  readonly active: Map<Held, number>
  breaker: CircuitBreaker
  /** The endpoint takes nothing (paused, disabled, unreadable); to be looked at again then. 0 when it does. */
  parkedUntil: number
  /** How long its receiver takes to answer, on the average of late. */
  latencyMs: number
  /** The last claim left it out because it had enough. */
  wantsMore: boolean
}

/** Attempts under way at once to one endpoint, in one process (issue 5; operations §5.2). */
const mostAtOnce = 4

/** Bounds of what a lane may keep waiting before it has enough. */
const least = 2
const most = 128

/** What a receiver is taken to need until it has answered: were it thought fast, more would be claimed than it can take. */
const unknownLatencyMs = 25

export const makeLane = (endpointId: string): Lane => ({
  endpointId,
  queue: [],
  active: new Map(),
  breaker: closedBreaker,
  parkedUntil: 0,
  latencyMs: unknownLatencyMs,
  wantsMore: false,
})

/** Whether deliveries may be sent on this lane now or soon. */
export const isOpen = ({ parkedUntil, breaker }: Lane, now: number): boolean =>
  parkedUntil === 0 && now >= breaker.restsUntil

/** What its receiver takes in a quarter of a second; a fast one is bounded, a slow one gets at least a few. */
const appetiteOf = ({ latencyMs, active }: Lane, monotonicMs: number): number => {
  const [oldest = monotonicMs] = active.values()
  // One that hangs now is as slow as it hangs.
  const slowest = Math.max(latencyMs, monotonicMs - oldest, 1)
  return Math.min(Math.max(Math.floor((mostAtOnce * 250) / slowest), least), most)
}

/** While it is being probed, one is enough. */
const hasProbe = ({ breaker, queue, active }: Lane): boolean =>
  breaker.restsUntil !== 0 && queue.length + active.size > 0

/** Whether so much waits on it already that the next claim should bring nothing for it. */
export const hasEnough = (lane: Lane, share: number, monotonicMs: number): boolean =>
  hasProbe(lane) || lane.queue.length >= Math.min(appetiteOf(lane, monotonicMs), share)

/** How much more may wait on it; what waits here for long, no other process can send. */
export const roomOn = (lane: Lane, share: number, monotonicMs: number): number =>
  hasProbe(lane) ? 0 : Math.max(0, Math.min(2 * appetiteOf(lane, monotonicMs), share) - lane.queue.length)

const weightOfNewest = 0.2

/** Learns from an attempt that took so long. */
export const learnLatency = (lane: Lane, latencyMs: number): void => {
  lane.latencyMs += (latencyMs - lane.latencyMs) * weightOfNewest
}

export const hasRoom = ({ breaker, active }: Lane, now: number): boolean =>
  active.size < allowedAtOnce(breaker, now, mostAtOnce)

/** Nothing is known of it that a new lane would not know as well. */
export const isForgettable = ({ queue, active, breaker, parkedUntil }: Lane): boolean =>
  queue.length === 0 && active.size === 0 && breaker.failures === 0 && breaker.restsUntil === 0 && parkedUntil === 0
