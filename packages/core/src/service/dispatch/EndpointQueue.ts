import type { DueDelivery, QueueLease } from "../../ports/Outbox.ts"

/** A queue that this process leases. It alone sends what is in it, so it knows what is under way. */
export interface EndpointQueue {
  lease: QueueLease
  /** When the store was asked for the lease, or for its renewal. */
  leasedAt: number
  /** What was read and not begun yet, oldest first. */
  ready: Array<DueDelivery>
  readAt: number
  /** Charges of which an attempt is under way, or not settled yet, with the event that it sends. */
  readonly underWay: Map<string, string>
  /** Events settled since the last read was begun, which may not have seen it. */
  readonly settled: Set<string>
  /** Another read may bring something. */
  hasMore: boolean
  /** The last read brought what must wait for something that is under way. */
  hasBlocked: boolean
  /** When something was last committed in this process: a read that was begun before may not have seen it. */
  wokenAt: number
  /** Its lease is being ended, or was lost. */
  isLeaving: boolean
}

export const queueKey = ({ issuer, endpointId }: Pick<QueueLease, "issuer" | "endpointId">): string =>
  `${issuer} ${endpointId}`

export const newQueue = (lease: QueueLease, leasedAt: number): EndpointQueue => ({
  lease,
  leasedAt,
  ready: [],
  readAt: leasedAt,
  underWay: new Map(),
  settled: new Set(),
  hasMore: false,
  hasBlocked: false,
  wokenAt: Number.NEGATIVE_INFINITY,
  isLeaving: false,
})

/** How long after it was read a delivery may be begun: it may have been superseded since. */
const freshMs = 1_000

/** An event of no charge is alone in its line. */
export const lineOf = ({ event }: DueDelivery): string => event.payment?.chargeId ?? event.id

/** Takes what a read brought in the place of what the one before had brought. */
export const refill = (
  queue: EndpointQueue,
  due: ReadonlyArray<DueDelivery>,
  read: { readonly askedAt: number; readonly answeredAt: number; readonly limit: number },
): void => {
  queue.ready = due.filter((one) => !queue.underWay.has(lineOf(one)) && !queue.settled.has(one.event.id))
  queue.readAt = read.answeredAt
  queue.hasMore = due.length >= read.limit || queue.wokenAt >= read.askedAt
  queue.hasBlocked = due.some((one) => (queue.underWay.get(lineOf(one)) ?? one.event.id) !== one.event.id)
}

/** Nothing is left in it that this process knows of, but what is under way. */
export const isDrained = ({ ready, hasMore, hasBlocked }: EndpointQueue): boolean =>
  ready.length === 0 && !hasMore && !hasBlocked

export const isStale = ({ readAt }: EndpointQueue, now: number): boolean => now > readAt + freshMs

/** Begins what comes next; undefined when that is nothing, or was read or leased too long ago. */
export const beginNext = (queue: EndpointQueue, now: number, leaseMs: number): DueDelivery | undefined => {
  const [next] = queue.ready
  // Half of a lease is more than an attempt takes.
  if (next === undefined || queue.isLeaving || isStale(queue, now) || now > queue.leasedAt + leaseMs / 2) {
    return undefined
  }
  queue.ready.shift()
  queue.underWay.set(lineOf(next), next.event.id)
  return next
}
