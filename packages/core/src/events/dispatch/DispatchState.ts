import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { NewDelivery } from "../../ports/ChargeStore.ts"
import { readMonotonicMs } from "../../runtime/monotonicMs.ts"
import { type EndpointQueue, queueKey } from "./EndpointQueue.ts"
import { EndpointState, type SharedState } from "./EndpointState.ts"

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
