import type { Outbox, QueueClaim } from "@pixcharge/core"
import { nextDelayMs } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"

type ClaimRequest = Parameters<Outbox["Service"]["claim"]>[0]

/** What the last claim of a shard has shown. */
interface LastClaim {
  /** Which queues it was for. */
  readonly selection: string
  /** When the next delivery comes due; infinite when none waits. Epoch milliseconds of business time. */
  readonly nextDueAt: number
  /** For how long the shard is idle after it; 0 if it returned a queue. */
  readonly idleMs: number
  /** In milliseconds of the monotonic clock. */
  readonly idleUntil: number
}

/** The maximum is below the dispatcher's between two claims. */
const idleRule = { firstMs: 100, maxMs: 2_000 }

const selectionKey = ({ bucket, excludedEndpoints }: ClaimRequest): string =>
  JSON.stringify([bucket, excludedEndpoints])

/**
 * The shards in which there is nothing to claim, so that a claim sends no statement to them.
 *
 * A shard is idle after a claim that found nothing, until a delivery comes due there or this process changes something in it. What
 * other processes write, and that their leases end, is found once the idle time is over; it grows to 2 s while nothing is found.
 */
export class IdleShards {
  readonly #lastClaims = new Map<string, LastClaim>()
  /** The shards whose last claim has no answer yet. */
  readonly #unanswered = new Set<string>()
  /** By shard, how often this process has changed what can be claimed there. */
  readonly #changes = new Map<string, number>()

  isIdle(id: string, request: ClaimRequest): boolean {
    const last = this.#lastClaims.get(id)
    return (
      last !== undefined &&
      last.selection === selectionKey(request) &&
      last.nextDueAt > request.now &&
      last.idleUntil > performance.now()
    )
  }

  /** When the next delivery of a shard comes due, or now where that isn't known; epoch milliseconds of business time. */
  findNextDueAt(id: string, request: ClaimRequest): number {
    const last = this.#lastClaims.get(id)
    const isKnown = last?.selection === selectionKey(request) && !this.#unanswered.has(id)
    return isKnown ? last.nextDueAt : request.now
  }

  /** Records that this process has changed what can be claimed in the shard. */
  recordChange(id: string): void {
    this.#changes.set(id, this.#countChanges(id) + 1)
    this.#lastClaims.delete(id)
  }

  /** Makes a call that changes what can be claimed in the shard; it may have done so even if its answer is lost. */
  makeChange<A, E>(id: string, call: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.ensuring(
      call,
      Effect.sync(() => this.recordChange(id)),
    )
  }

  /** Begins a claim of the shard; returns how many changes there were before it. */
  beginClaim(id: string): number {
    this.#unanswered.add(id)
    return this.#countChanges(id)
  }

  /** Records what a claim found, unless something has changed since it began: that may be what it didn't find. */
  recordClaim(id: string, request: ClaimRequest, claim: QueueClaim, changesBefore: number): void {
    const { queues, nextDueAt = Number.POSITIVE_INFINITY } = claim
    this.#unanswered.delete(id)
    const selection = selectionKey(request)
    const last = this.#lastClaims.get(id)
    if (queues.length > 0) this.recordChange(id)
    else if (this.#countChanges(id) !== changesBefore) return
    const lastMs = last?.selection === selection ? last.idleMs : 0
    const idleMs = queues.length > 0 ? 0 : nextDelayMs(idleRule, lastMs)
    this.#lastClaims.set(id, { selection, nextDueAt, idleMs, idleUntil: performance.now() + idleMs })
  }

  #countChanges(id: string): number {
    return this.#changes.get(id) ?? 0
  }
}
