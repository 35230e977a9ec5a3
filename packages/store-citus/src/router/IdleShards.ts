import type { Outbox, QueueClaim } from "@pixcharge/core"
import { nextDelayMs } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"

type ClaimRequest = Parameters<Outbox["Service"]["claim"]>[0]

interface LastClaim {
  readonly selection: string
  /** Epoch milliseconds of business time; infinite if no delivery waits. */
  readonly nextDueAt: number
  /** It left a due delivery, such as one in a leased queue. */
  readonly hasLeft: boolean
  /** The idle time in milliseconds, 0 if the claim returned a queue. */
  readonly idleMs: number
  /** Milliseconds of the monotonic clock. */
  readonly idleUntil: number
}

/** The maximum is below the dispatcher's interval between two claims. */
const idleRule = { firstMs: 100, maxMs: 2_000 }

const selectionKey = ({ excludedEndpoints = [] }: ClaimRequest): string => JSON.stringify(excludedEndpoints)

/**
 * The shards without due queues. Claims send them no statement.
 *
 * A shard is idle after an empty claim, until a delivery is due there or this process changes a queue in it. Other processes'
 * writes and ended leases are found after the idle time, which grows to 2 s while claims stay empty.
 */
export class IdleShards {
  readonly #lastClaims = new Map<string, LastClaim>()
  readonly #unanswered = new Set<string>()
  readonly #changes = new Map<string, number>()

  isIdle(id: string, request: ClaimRequest): boolean {
    const last = this.#lastClaims.get(id)
    return (
      last !== undefined &&
      last.selection === selectionKey(request) &&
      (last.hasLeft || last.nextDueAt > request.now) &&
      last.idleUntil > performance.now()
    )
  }

  /** Returns epoch milliseconds of business time, or now if unknown. */
  findNextDueAt(id: string, request: ClaimRequest): number {
    const last = this.#lastClaims.get(id)
    const isKnown = last?.selection === selectionKey(request) && !this.#unanswered.has(id)
    return isKnown ? last.nextDueAt : request.now
  }

  recordChange(id: string): void {
    this.#changes.set(id, this.#countChanges(id) + 1)
    this.#lastClaims.delete(id)
  }

  /** Records a change even if the call fails, because a call without an answer can still change the queues. */
  makeChange<A, E>(id: string, call: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.ensuring(
      call,
      Effect.sync(() => this.recordChange(id)),
    )
  }

  beginClaim(id: string): number {
    this.#unanswered.add(id)
    return this.#countChanges(id)
  }

  /** Ignores the result if the queues changed since the claim began. */
  recordClaim(id: string, request: ClaimRequest, claim: QueueClaim, changesBefore: number): void {
    const { queues, nextDueAt = Number.POSITIVE_INFINITY } = claim
    this.#unanswered.delete(id)
    const selection = selectionKey(request)
    const last = this.#lastClaims.get(id)
    if (queues.length > 0) this.recordChange(id)
    else if (this.#countChanges(id) !== changesBefore) return
    const lastMs = last?.selection === selection ? last.idleMs : 0
    const idleMs = queues.length > 0 ? 0 : nextDelayMs(idleRule, lastMs)
    const hasLeft = nextDueAt <= request.now
    this.#lastClaims.set(id, { selection, nextDueAt, hasLeft, idleMs, idleUntil: performance.now() + idleMs })
  }

  #countChanges(id: string): number {
    return this.#changes.get(id) ?? 0
  }
}
