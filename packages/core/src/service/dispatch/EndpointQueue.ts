import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { DueDelivery, LeasedQueue, QueueLease } from "../../ports/Outbox.ts"
import type { NewDelivery } from "../../ports/ChargeStore.ts"
import type { EndpointState } from "./EndpointState.ts"

/** A queue that this process leases. It alone sends what is in it, so it knows what is under way. */
export interface EndpointQueue {
  lease: QueueLease
  /** When the store was asked for the lease, or for its renewal. */
  leasedAt: number
  readonly endpoint: EndpointState
  /** What was read last, oldest first. */
  due: ReadonlyArray<DueDelivery>
  readAt: number
  /** Another read may bring something: the last one was full, or something may have been committed since it was begun. */
  hasMore: boolean
  /** Charges, by `orderKey`, with a delivery that waits for the one that is under way. */
  readonly blocked: Set<string>
  /** What is under way, or not settled yet: event ids by `orderKey`. */
  readonly underWay: Map<string, string>
  /** Open once something was settled, or committed, or became of the lease. */
  readonly changed: Latch.Latch
  /** Somebody else has the lease. */
  isLost: boolean
  /** Its lease is being ended. */
  isReleasing: boolean
}

export const leaseMs = 30_000
/** How long after it was read a delivery may be begun: it may have been superseded since. */
const freshMs = 1_000

export const queueKey = ({ issuer, endpointId }: Pick<QueueLease, "issuer" | "endpointId">): string =>
  `${issuer} ${endpointId}`

/** Deliveries with the same key are sent one after the other: those of a charge. An event of no charge has its own. */
export const orderKey = ({ event }: NewDelivery): string => event.payment?.chargeId ?? event.id

export const newQueue = (
  { lease, due }: LeasedQueue,
  endpoint: EndpointState,
  read: { readonly leasedAt: number; readonly readAt: number; readonly hasMore: boolean },
): EndpointQueue => ({
  ...read,
  lease,
  endpoint,
  due,
  blocked: new Set(),
  underWay: new Map(),
  changed: Latch.makeUnsafe(),
  isLost: false,
  isReleasing: false,
})

/** Waits until something has changed since the last wait. */
export const awaitChange = ({ changed }: EndpointQueue): Effect.Effect<void> =>
  Effect.andThen(changed.await, changed.close)

/** Whether its lease is sure to hold for longer than an attempt takes. */
export const holdsLease = ({ isLost, leasedAt }: EndpointQueue, now: number): boolean =>
  !isLost && now <= leasedAt + leaseMs / 2

export const isStale = ({ readAt }: EndpointQueue, now: number): boolean => now > readAt + freshMs

export const mayHoldMore = ({ hasMore, blocked, underWay }: EndpointQueue): boolean => {
  if (hasMore) return true
  for (const key of blocked) if (!underWay.has(key)) return true
  return false
}

/** This delivery was committed, or another that nobody names: the queue may hold more than was read. */
export const noteCommit = (queue: EndpointQueue, written?: NewDelivery): void => {
  if (written !== undefined && queue.underWay.has(orderKey(written))) queue.blocked.add(orderKey(written))
  else queue.hasMore = true
  queue.changed.openUnsafe()
}
