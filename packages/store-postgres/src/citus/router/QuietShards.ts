import type { Outbox, QueueClaim } from "@pixcharge/core"
import * as Effect from "effect/Effect"

type ClaimRequest = Parameters<Outbox["Service"]["claim"]>[0]

/** What the last claim of a shard has shown. */
interface Known {
  /** Which queues it asked for. */
  readonly selection: string
  /** When the next delivery comes due; infinite when none waits. Epoch milliseconds of business time. */
  readonly nextDueAt: number
  /** How long the shard rests after it, and until when on the steady clock, in milliseconds; 0 where it brought something. */
  readonly restMs: number
  readonly restsUntil: number
}

const firstRestMs = 100
/** Less than the dispatcher's longest pause between two claims. */
const maxRestMs = 2_000

const selectionOf = ({ bucket, excludedEndpoints }: ClaimRequest): string => JSON.stringify([bucket, excludedEndpoints])

/**
 * In which shards nothing is to be claimed, so that a claim needs no statement for them: where the last one found nothing, none
 * is made until something comes due there or this process has changed something. What other processes write is found after a
 * rest, and so are their leases that end; it grows to 2 s while nothing is found.
 */
export class QuietShards {
  readonly #known = new Map<string, Known>()
  /** Those whose last claim has no answer. */
  readonly #unanswered = new Set<string>()
  /** By shard, how often this process has changed what can be claimed there. */
  readonly #changes = new Map<string, number>()

  isQuiet(id: string, request: ClaimRequest): boolean {
    const known = this.#known.get(id)
    return (
      known !== undefined &&
      known.selection === selectionOf(request) &&
      known.nextDueAt > request.now &&
      known.restsUntil > performance.now()
    )
  }

  /** When the next delivery of a shard comes due, or now where that isn't known; epoch milliseconds of business time. */
  nextDueAt(id: string, request: ClaimRequest): number {
    const known = this.#known.get(id)
    const isKnown = known?.selection === selectionOf(request) && !this.#unanswered.has(id)
    return isKnown ? known.nextDueAt : request.now
  }

  /** This process has changed what can be claimed in the shard. */
  noteChange(id: string): void {
    this.#changes.set(id, this.#changesOf(id) + 1)
    this.#known.delete(id)
  }

  /** Makes a call that changes what can be claimed in the shard, as one without an answer may have, too. */
  changing<A, E>(id: string, call: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.ensuring(
      call,
      Effect.sync(() => this.noteChange(id)),
    )
  }

  /** A claim of the shard begins; returns how many changes there were before. */
  noteAsked(id: string): number {
    this.#unanswered.add(id)
    return this.#changesOf(id)
  }

  /** Takes what a claim brought that began when there had been so many changes: what it didn't find may have come since. */
  noteClaim(id: string, request: ClaimRequest, claim: QueueClaim, changesBefore: number): void {
    const { queues, nextDueAt = Number.POSITIVE_INFINITY } = claim
    this.#unanswered.delete(id)
    const selection = selectionOf(request)
    const before = this.#known.get(id)
    if (queues.length > 0) this.noteChange(id)
    else if (this.#changesOf(id) !== changesBefore) return
    const isAgain = queues.length === 0 && before?.selection === selection
    const restMs = queues.length > 0 ? 0 : Math.min(Math.max((isAgain ? before.restMs : 0) * 2, firstRestMs), maxRestMs)
    this.#known.set(id, { selection, nextDueAt, restMs, restsUntil: performance.now() + restMs })
  }

  #changesOf(id: string): number {
    return this.#changes.get(id) ?? 0
  }
}
