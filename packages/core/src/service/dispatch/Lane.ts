import type { ClaimedDelivery } from "../../ports/Outbox.ts"
import { allowedAtOnce, type CircuitBreaker, closedBreaker } from "./CircuitBreaker.ts"

/** A delivery that this process holds the lease of. */
export interface Held {
  readonly claim: ClaimedDelivery
  /** When the store was asked for it: milliseconds of the monotonic clock, as all moments here. */
  readonly claimedAt: number
  /** Not to be begun after this moment: it may be superseded or somebody else's by then. It is claimed anew. */
  readonly freshUntil: number
}

/** What one process has in hand for one endpoint. Every endpoint has its own lane, so that none waits for another. */
export interface Lane {
  readonly endpointId: string
  /** Waiting for their turn, oldest first. */
  queue: Array<Held>
  /** Attempts under way, oldest first, with the moment of the monotonic clock at which each began. */
  readonly active: Map<Held, number>
  breaker: CircuitBreaker
  /** The endpoint takes nothing (paused, disabled, unreadable), and is looked up again then. */
  parked?: { readonly until: number; readonly ms: number }
  /** How long its receiver takes to answer, on the average of late. */
  latencyMs: number
  /** When its last attempt ended. */
  endedAt: number
  /** The last claim left it out because it had enough. */
  wantsMore: boolean
}

/** What a lane may take, given all that the process has in hand. */
export interface Load {
  /** Milliseconds of the monotonic clock. */
  readonly monotonicMs: number
  /** Attempts that may be under way at once to one endpoint. */
  readonly atOnce: number
  /** Deliveries that may wait on one lane. */
  readonly share: number
}

/** What a receiver is taken to need until it has answered: were it thought fast, more would be claimed than it can take. */
const unknownLatencyMs = 25

export const makeLane = (endpointId: string): Lane => ({
  endpointId,
  queue: [],
  active: new Map(),
  breaker: closedBreaker,
  latencyMs: unknownLatencyMs,
  endedAt: 0,
  wantsMore: false,
})

/** Whether deliveries may be sent on this lane now or soon. */
export const isOpen = ({ parked, breaker }: Lane, monotonicMs: number): boolean =>
  parked === undefined && monotonicMs >= breaker.restsUntil

const mostWaiting = 512

/** What its receiver takes in a quarter of a second, and no less than can begin at once: the rest would wait in vain. */
const appetiteOf = ({ latencyMs, active }: Lane, { monotonicMs, atOnce }: Load): number => {
  const [oldest = monotonicMs] = active.values()
  // One that hangs now is as slow as it hangs.
  const slowest = Math.max(latencyMs, monotonicMs - oldest, 1)
  return Math.min(Math.max(Math.floor((atOnce * 250) / slowest), atOnce - active.size), mostWaiting)
}

/** While it is being probed, one is enough. */
const hasProbe = ({ breaker, queue, active }: Lane): boolean =>
  breaker.restsUntil !== 0 && queue.length + active.size > 0

/** Whether so much waits on it already that the next claim should bring nothing for it. */
export const hasEnough = (lane: Lane, load: Load): boolean =>
  hasProbe(lane) || lane.queue.length >= Math.min(Math.ceil(appetiteOf(lane, load) / 2), load.share)

/** How much a claim should bring for it. */
export const roomOn = (lane: Lane, load: Load): number =>
  Math.max(0, Math.min(2 * appetiteOf(lane, load), load.share) - lane.queue.length)

/** Whether one more may wait on it, as a claim may bring more for one lane than for another; but no other process can send it. */
export const canTake = (lane: Lane, load: Load): boolean =>
  !hasProbe(lane) && lane.queue.length < Math.min(3 * appetiteOf(lane, load), load.share)

const weightOfNewest = 0.2

/** Learns from an attempt that took so long. */
export const learnLatency = (lane: Lane, latencyMs: number): void => {
  lane.latencyMs += (latencyMs - lane.latencyMs) * weightOfNewest
}

/** Whether one more may begin. */
export const mayBegin = ({ breaker, active }: Lane, { monotonicMs, atOnce }: Load): boolean =>
  active.size < allowedAtOnce(breaker, monotonicMs, atOnce)

const firstParkMs = 1_000
const longestParkMs = 4_000

/** Parks it, for twice as long as the last time if it still takes nothing. */
export const park = (lane: Lane, monotonicMs: number): void => {
  const ms = lane.parked === undefined ? firstParkMs : Math.min(lane.parked.ms * 2, longestParkMs)
  lane.parked = { until: monotonicMs + ms, ms }
}

/** Whether any of its deliveries is in hand. */
export const holdsAny = ({ queue, active }: Lane): boolean => queue.length > 0 || active.size > 0

/** For how long what is known of a failing endpoint is worth keeping. */
const memoryMs = 60_000

/** Nothing is known of it that a new lane would not know as well, or nothing that still matters. */
export const isForgettable = (lane: Lane, monotonicMs: number): boolean => {
  const { failures, restsUntil } = lane.breaker
  if (holdsAny(lane) || lane.parked !== undefined) return false
  return failures === 0 || monotonicMs > Math.max(lane.endedAt, restsUntil) + memoryMs
}
