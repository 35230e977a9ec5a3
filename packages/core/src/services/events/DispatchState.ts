import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { eventChargeId } from "../../model/charge/PixEvent.ts"
import type { NewDelivery } from "../../ports/ChargeStore.ts"
import type { DueDelivery, QueueLease } from "../../ports/Outbox.ts"
import { readMonotonicMs } from "../../runtime/clock.ts"
import { EndpointState, type SharedState } from "./EndpointState.ts"

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

/** The queues that this process leases, and what it knows of their endpoints. */
export class DispatchState implements SharedState {
  readonly queues = new Map<string, EndpointQueue>()
  readonly endpoints = new Map<string, EndpointState>()
  readonly claimWanted = Latch.makeUnsafe()
  readonly clock: Clock.Clock
  inFlight = 0
  isStopping = false
  readonly #toWake = new Set<EndpointState>()
  readonly #someToWake = Latch.makeUnsafe()

  constructor(clock: Clock.Clock) {
    this.clock = clock
  }

  readonly now = (): number => readMonotonicMs(this.clock)

  readonly wakeLater = (endpoint: EndpointState): void => {
    this.#toWake.add(endpoint)
    this.#someToWake.openUnsafe()
  }

  /** Wakes endpoints once in each turn: attempts for which answers made room go out together, which costs half as much. */
  readonly wakeEndpoints = Effect.forever(
    Effect.suspend(() =>
      Effect.map(this.#someToWake.await, () => {
        this.#someToWake.closeUnsafe()
        for (const endpoint of this.#toWake) endpoint.wake()
        this.#toWake.clear()
      }),
    ),
  )

  endpoint(endpointId: string): EndpointState {
    const endpoint = this.endpoints.get(endpointId) ?? new EndpointState(endpointId, this)
    this.endpoints.set(endpointId, endpoint)
    return endpoint
  }

  /** Keeps a queue that was leased. */
  add(queue: EndpointQueue): void {
    queue.endpoint.queues++
    this.queues.set(queueKey(queue.lease), queue)
  }

  /** Forgets a queue that was released. What was committed meanwhile is claimed at once: until now the queue was leased. */
  remove(queue: EndpointQueue): void {
    const key = queueKey(queue.lease)
    queue.endpoint.queues--
    if (this.queues.get(key) === queue) this.queues.delete(key)
    if (queue.hasMore) this.claimWanted.openUnsafe()
  }

  /** Notes a commit: of these deliveries, or of unknown ones. Returns true if some may lie in a queue that is not leased. */
  noteCommits(written: ReadonlyArray<NewDelivery> | undefined): boolean {
    if (written === undefined) {
      for (const queue of this.queues.values()) queue.noteCommit()
      return true
    }
    let isElsewhere = false
    for (const delivery of written) {
      const { event, endpointId } = delivery
      const queue = this.queues.get(queueKey({ issuer: event.issuer, endpointId }))
      if (queue === undefined) isElsewhere = true
      else queue.noteCommit(delivery)
    }
    return isElsewhere
  }

  /** Makes queues read again where their endpoint has room, for other processes commit too, and ends waits that are too long. */
  refresh(): void {
    const now = this.now()
    for (const queue of this.queues.values()) {
      if (queue.isStale(now) && queue.endpoint.hasRoom()) queue.noteCommit()
    }
    for (const endpoint of this.endpoints.values()) {
      endpoint.wake()
      endpoint.refuseLongWaiters()
    }
  }

  /** The endpoints that a claim should leave out. Forgets those that have not been used for a while. */
  listExcluded(): ReadonlyArray<string> {
    for (const endpoint of this.endpoints.values()) {
      if (endpoint.isForgettable()) this.endpoints.delete(endpoint.endpointId)
    }
    return [...this.endpoints.values()].filter((endpoint) => endpoint.isExcluded()).map(({ endpointId }) => endpointId)
  }

  /** In how many milliseconds the next cool-down of an endpoint ends; infinity without one. */
  nextCoolDownEndMs(): number {
    const now = this.now()
    let nextEndMs = Number.POSITIVE_INFINITY
    for (const { breaker } of this.endpoints.values()) {
      if (breaker.coolDownUntil > now) nextEndMs = Math.min(nextEndMs, breaker.coolDownUntil - now)
    }
    return nextEndMs
  }

  /** Begins nothing any more; queues are released as what is under way in them ends. */
  stop(): void {
    this.isStopping = true
    for (const endpoint of this.endpoints.values()) endpoint.wake()
    this.claimWanted.openUnsafe()
  }
}
