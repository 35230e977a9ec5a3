import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { eventChargeId } from "../../charges/rules/PixEvent.ts"
import type { NewDelivery } from "../../ports/ChargeStore.ts"
import type { DueDelivery, QueueLease } from "../../ports/Outbox.ts"
import type { EndpointState } from "./EndpointState.ts"

export const leaseMs = 30_000
/** How long after it was read a delivery may be begun: it may have been superseded since. */
const freshMs = 1_000
const minRead = 16
const maxRead = 512

export const queueKey = ({ issuer, endpointId }: Pick<QueueLease, "issuer" | "endpointId">): string =>
  `${issuer} ${endpointId}`

/** Deliveries with the same key are sent one after the other: those of a charge. An event of no charge has its own. */
export const orderKey = ({ event }: NewDelivery): string => eventChargeId(event) ?? event.id

/** A queue that this process leases. It alone sends what is in it, so it knows what is under way. */
export class EndpointQueue {
  readonly endpoint: EndpointState
  lease: QueueLease
  /** When the store was asked for the lease, or for its renewal. */
  leasedAt: number
  /** What was read last, oldest first. */
  due: ReadonlyArray<DueDelivery> = []
  readAt = Number.NEGATIVE_INFINITY
  /** How many of those were begun. */
  #begun = 0
  /** Another read may bring something: the last one was full, or something may have been committed since it was begun. */
  hasMore = false
  /** What is under way, or not settled yet: event ids by `orderKey`. */
  readonly underWay = new Map<string, string>()
  /** The keys of those behind which another delivery waits. */
  readonly blocking = new Set<string>()
  /** Somebody else has the lease. */
  isLost = false
  /** Its lease is being ended. */
  isReleasing = false
  /** Open once something was settled or committed since the last wait. */
  readonly #changed = Latch.makeUnsafe()

  constructor(endpoint: EndpointState, lease: QueueLease, leasedAt: number) {
    this.endpoint = endpoint
    this.lease = lease
    this.leasedAt = leasedAt
  }

  /** Whether its lease is sure to hold for longer than an attempt takes. */
  holdsLease(now: number): boolean {
    return !this.isLost && now <= this.leasedAt + leaseMs / 2
  }

  isStale(now: number): boolean {
    return now > this.readAt + freshMs
  }

  /** How many the next read should bring: twice as many if the last ones were begun in good time, or those that were begun. */
  nextReadSize(now: number): number {
    const isQuick = now < this.readAt + freshMs / 2
    return Math.min(Math.max(isQuick ? 2 * this.#begun : this.#begun, minRead), maxRead)
  }

  /** Takes what a read brought. */
  fill(due: ReadonlyArray<DueDelivery>, hasMore: boolean, now: number): void {
    this.due = due
    this.#begun = 0
    this.readAt = now
    this.hasMore ||= hasMore
  }

  /** Notes a commit: of this delivery, or of unknown ones. */
  noteCommit(written?: NewDelivery): void {
    if (written !== undefined && this.underWay.has(orderKey(written))) this.blocking.add(orderKey(written))
    else this.hasMore = true
    this.#changed.openUnsafe()
  }

  begin(delivery: DueDelivery): void {
    this.#begun++
    this.underWay.set(orderKey(delivery), delivery.event.id)
  }

  /** Notes that a delivery is settled, or was not attempted. */
  end(delivery: DueDelivery): void {
    this.underWay.delete(orderKey(delivery))
    if (this.blocking.delete(orderKey(delivery))) this.hasMore = true
    this.#changed.openUnsafe()
  }

  /** Waits until something was settled or committed. */
  get change(): Effect.Effect<void> {
    return Effect.andThen(this.#changed.await, this.#changed.close)
  }
}
