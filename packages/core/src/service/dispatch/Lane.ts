import type { ClaimedDelivery } from "../../ports/Outbox.ts"
import { allowedAtOnce, type CircuitBreaker, closedBreaker } from "./CircuitBreaker.ts"

/** A delivery that this process holds the lease of. */
export interface Held {
  readonly claim: ClaimedDelivery
  /** When the store last confirmed the lease, at the earliest: milliseconds of the monotonic clock. */
  confirmedAt: number
}

/** What one process has in hand for one endpoint. Every endpoint has its own lane, so that none waits for another. */
export interface Lane {
  readonly endpointId: string
  /** Waiting for their turn, oldest first. */
  queue: Array<Held>
  /** Attempts under way. */
  readonly active: Set<Held>
  breaker: CircuitBreaker
  /** The endpoint takes nothing (paused, disabled, unreadable); to be looked at again then. 0 when it does. */
  parkedUntil: number
  /** The last claim left it out because it had enough. */
  wantsMore: boolean
  isPumping: boolean
}

/** Attempts under way at once to one endpoint, in one process (issue 5; operations §5.2). */
const mostAtOnce = 4

export const makeLane = (endpointId: string): Lane => ({
  endpointId,
  queue: [],
  active: new Set(),
  breaker: closedBreaker,
  parkedUntil: 0,
  wantsMore: false,
  isPumping: false,
})

/** Whether deliveries may be sent on this lane now or soon. */
export const isOpen = ({ parkedUntil, breaker }: Lane, now: number): boolean =>
  parkedUntil === 0 && now >= breaker.restsUntil

export const hasEnough = ({ queue, active, breaker }: Lane, enough: number): boolean =>
  // While it is being probed, one is enough.
  breaker.restsUntil === 0 ? queue.length >= enough : queue.length + active.size > 0

export const hasRoom = ({ breaker, active }: Lane, now: number): boolean =>
  active.size < allowedAtOnce(breaker, now, mostAtOnce)

/** Nothing is known of it that a new lane would not know as well. */
export const isForgettable = ({ queue, active, breaker, parkedUntil }: Lane): boolean =>
  queue.length === 0 && active.size === 0 && breaker.failures === 0 && breaker.restsUntil === 0 && parkedUntil === 0
