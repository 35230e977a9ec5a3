import type * as Clock from "effect/Clock"
import * as Latch from "effect/Latch"
import type { NewDelivery } from "../../ports/ChargeStore.ts"
import { type EndpointQueue, isStale, noteCommit, queueKey } from "./EndpointQueue.ts"
import { EndpointState, type SharedState } from "./EndpointState.ts"

/** The queues that this process leases, and what it knows of their endpoints. */
export class DispatchState implements SharedState {
  readonly queues = new Map<string, EndpointQueue>()
  readonly endpoints = new Map<string, EndpointState>()
  readonly claimWanted = Latch.makeUnsafe()
  readonly clock: Clock.Clock
  inFlight = 0
  isStopping = false
  /** When the next of the retries that this process has settled comes due: epoch milliseconds of business time. */
  nextRetryAt = Number.POSITIVE_INFINITY

  constructor(clock: Clock.Clock) {
    this.clock = clock
  }

  readonly now = (): number => Number(this.clock.monotonicTimeNanosUnsafe() / 1_000_000n)

  endpoint(endpointId: string): EndpointState {
    const endpoint = this.endpoints.get(endpointId) ?? new EndpointState(endpointId, this)
    this.endpoints.set(endpointId, endpoint)
    return endpoint
  }

  add(queue: EndpointQueue): void {
    queue.endpoint.queues++
    this.queues.set(queueKey(queue.lease), queue)
  }

  /** Forgets a queue that was released. What was committed meanwhile is claimed at once: its claim found it leased. */
  remove(queue: EndpointQueue): void {
    const key = queueKey(queue.lease)
    queue.endpoint.queues--
    if (this.queues.get(key) === queue) this.queues.delete(key)
    if (queue.hasMore) this.claimWanted.openUnsafe()
  }

  /** These deliveries were committed, or others that nobody names; true if some may lie in a queue that is not leased. */
  noteCommits(written: ReadonlyArray<NewDelivery> | undefined): boolean {
    if (written === undefined) {
      for (const queue of this.queues.values()) noteCommit(queue)
      return true
    }
    let isElsewhere = false
    for (const delivery of written) {
      const { event, endpointId } = delivery
      const queue = this.queues.get(queueKey({ issuer: event.issuer, endpointId }))
      if (queue === undefined) isElsewhere = true
      else noteCommit(queue, delivery)
    }
    return isElsewhere
  }

  /** Has queues read anew where their endpoint has room, for other processes commit too; ends waits that are in vain. */
  sweep(): void {
    const now = this.now()
    for (const queue of this.queues.values()) {
      if (isStale(queue, now) && queue.endpoint.hasRoom()) noteCommit(queue)
    }
    for (const endpoint of this.endpoints.values()) endpoint.wake()
  }

  /** Endpoints of which a claim should bring nothing. Forgets those of which nothing matters any more. */
  except(): ReadonlyArray<string> {
    for (const endpoint of this.endpoints.values()) {
      if (endpoint.isForgettable()) this.endpoints.delete(endpoint.endpointId)
    }
    return [...this.endpoints.values()].filter((endpoint) => endpoint.except()).map(({ endpointId }) => endpointId)
  }

  /** For how many milliseconds nothing can become due that is known here: infinity when nothing is. */
  quietMs(): number {
    const rests = [...this.endpoints.values()].map(({ breaker }) => breaker.restsUntil - this.now())
    const untilRetry = this.nextRetryAt - this.clock.currentTimeMillisUnsafe()
    if (untilRetry <= 0) this.nextRetryAt = Number.POSITIVE_INFINITY
    return Math.min(untilRetry, ...rests.filter((ms) => ms > 0))
  }

  /** Begins nothing any more; queues are released as what is under way in them ends. */
  stop(): void {
    this.isStopping = true
    for (const endpoint of this.endpoints.values()) endpoint.wake()
    this.claimWanted.openUnsafe()
  }
}
