import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { eventOrderKey } from "../../model/charge/PixEvent.ts"
import type { NewDelivery } from "../../ports/ChargeStore.ts"
import type { DueDelivery, QueueLease } from "../../ports/Outbox.ts"
import { readMonotonicMs } from "../../runtime/clock.ts"
import { EndpointState, type SharedState } from "./EndpointState.ts"

export const leaseMs = 30_000
/** The age after which a queue is read again, because its deliveries can be superseded. */
const freshMs = 1_000
const minRead = 16
const maxRead = 512

export const queueKey = ({ issuer, endpointId }: Pick<QueueLease, "issuer" | "endpointId">): string =>
  `${issuer} ${endpointId}`

/** Deliveries with the same key are sent one after the other. */
export const orderKey = ({ event }: NewDelivery): string => eventOrderKey(event)

/** A queue that this process leases. */
export class EndpointQueue {
  readonly endpoint: EndpointState
  lease: QueueLease
  leasedAt: number
  /** Oldest first. */
  due: ReadonlyArray<DueDelivery> = []
  readAt = Number.NEGATIVE_INFINITY
  #begun = 0
  hasMore = false
  /** Event ids of unsettled deliveries, by `orderKey`. */
  readonly underWay = new Map<string, string>()
  /** Keys of `underWay` with a further waiting delivery. */
  readonly blocking = new Set<string>()
  isLost = false
  isReleasing = false
  /** Each delivery of `due` was begun, or waits for one under way. */
  isBegun = false
  readonly #changed = Latch.makeUnsafe()

  constructor(endpoint: EndpointState, lease: QueueLease, leasedAt: number) {
    this.endpoint = endpoint
    this.lease = lease
    this.leasedAt = leasedAt
  }

  holdsLease(now: number): boolean {
    return !this.isLost && now <= this.leasedAt + leaseMs / 2
  }

  isStale(now: number): boolean {
    return now > this.readAt + freshMs
  }

  nextReadSize(now: number): number {
    const isQuick = now < this.readAt + freshMs / 2
    return Math.min(Math.max(isQuick ? 2 * this.#begun : this.#begun, minRead), maxRead)
  }

  fill(due: ReadonlyArray<DueDelivery>, hasMore: boolean, now: number): void {
    this.due = due
    this.#begun = 0
    this.readAt = now
    this.hasMore ||= hasMore
  }

  noteCommit(written?: NewDelivery): void {
    if (written !== undefined && this.underWay.has(orderKey(written))) this.blocking.add(orderKey(written))
    else this.hasMore = true
    this.#changed.openUnsafe()
  }

  begin(delivery: DueDelivery): void {
    this.#begun++
    this.underWay.set(orderKey(delivery), delivery.event.id)
  }

  end(delivery: DueDelivery): void {
    this.underWay.delete(orderKey(delivery))
    if (this.blocking.delete(orderKey(delivery))) this.hasMore = true
    this.#changed.openUnsafe()
  }

  /** The delivery under way is the last of `due`. */
  get isEnding(): boolean {
    return this.isBegun && this.underWay.size === 1
  }

  get change(): Effect.Effect<void> {
    return Effect.andThen(this.#changed.await, this.#changed.close)
  }
}

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

  /** Wakes endpoints together, which costs less processor time. */
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

  add(queue: EndpointQueue): void {
    queue.endpoint.queues++
    this.queues.set(queueKey(queue.lease), queue)
  }

  remove(queue: EndpointQueue): void {
    const key = queueKey(queue.lease)
    queue.endpoint.queues--
    if (this.queues.get(key) === queue) this.queues.delete(key)
    if (queue.hasMore) this.claimWanted.openUnsafe()
  }

  /**
   * Notes committed deliveries. If `written` is undefined, every queue can have new deliveries. Returns true if this process
   * doesn't lease one of the deliveries' queues, or can't know that.
   */
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

  listExcluded(): ReadonlyArray<string> {
    for (const endpoint of this.endpoints.values()) {
      if (endpoint.isForgettable()) this.endpoints.delete(endpoint.endpointId)
    }
    return [...this.endpoints.values()].filter((endpoint) => endpoint.isExcluded()).map(({ endpointId }) => endpointId)
  }

  /** Infinity if no endpoint has a cool-down. */
  nextCoolDownEndMs(): number {
    const now = this.now()
    let nextEndMs = Number.POSITIVE_INFINITY
    for (const { breaker } of this.endpoints.values()) {
      if (breaker.coolDownUntil > now) nextEndMs = Math.min(nextEndMs, breaker.coolDownUntil - now)
    }
    return nextEndMs
  }

  stop(): void {
    this.isStopping = true
    for (const endpoint of this.endpoints.values()) endpoint.wake()
    this.claimWanted.openUnsafe()
  }
}
