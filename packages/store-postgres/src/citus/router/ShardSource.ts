import type { StoreUnavailable } from "@pixcharge/core"
import { nextDelayMs } from "@pixcharge/core/internal"
import type * as Fiber from "effect/Fiber"
import type { ShardPorts } from "../Shards.ts"

const coolDownRule = { firstMs: 500, maxMs: 5_000 }

/** A shard that claims take items from, and what they know of it. */
export class ShardSource<Item> {
  readonly shard: ShardPorts
  /** Items that it returned and no claim has taken yet. */
  #items: Array<Item> = []
  /** Until when another claim may be given these than the one that they were leased for. */
  #keptUntil = 0
  #coolDownMs = 0
  #coolDownUntil = 0
  isUnderWay = false
  /** Whether a claim waits for its answer, and will take what it returns. */
  isAwaited = false
  /** Ends with the last answer, or once the shard counts as silent. */
  answer: Fiber.Fiber<void> | undefined
  /** Why it gave no answer to the last claim; undefined if it gave one. */
  failure: StoreUnavailable | undefined

  constructor(shard: ShardPorts) {
    this.shard = shard
  }

  /** The answer that may still come. */
  get pendingAnswer(): Fiber.Fiber<void> | undefined {
    return this.answer?.pollUnsafe() === undefined ? this.answer : undefined
  }

  /** Whether a statement may be sent to it now. */
  isReady(): boolean {
    return !this.isUnderWay && this.#items.length === 0 && performance.now() >= this.#coolDownUntil
  }

  take(limit: number): ReadonlyArray<Item> {
    return this.#items.splice(0, limit)
  }

  /** Takes what came too late for the claim that it was leased for. */
  takeLate(limit: number): ReadonlyArray<Item> {
    if (this.isAwaited) return []
    if (performance.now() > this.#keptUntil) this.#items = []
    return this.take(limit)
  }

  succeed(items: ReadonlyArray<Item>, keptUntil: number): void {
    this.#items.push(...items)
    this.#keptUntil = keptUntil
    this.failure = undefined
    this.#coolDownMs = 0
  }

  /** Begins a cool-down, twice as long as the one before if nothing succeeded since. */
  coolDown(): void {
    this.#coolDownMs = nextDelayMs(coolDownRule, this.#coolDownMs)
    this.#coolDownUntil = performance.now() + this.#coolDownMs
  }
}
