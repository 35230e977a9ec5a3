import type { StoreUnavailable } from "@pixcharge/core"
import type * as Fiber from "effect/Fiber"

const firstRestMs = 500
const maxRestMs = 5_000

/** One shard, as claims know it. */
export class ShardSource<Item> {
  /** What it has brought and no claim has taken. */
  #brought: Array<Item> = []
  /** Until when that may be given to another claim than the one that asked. */
  #keptUntil = 0
  #restMs = 0
  #restsUntil = 0
  isUnderWay = false
  /** A claim waits for its answer, and will take what it brings. */
  isAwaited = false
  /** Ends with the last answer, or once the shard counts as silent. */
  answer: Fiber.Fiber<void> | undefined
  /** Why it gave no answer when it was asked last, if so. */
  failure: StoreUnavailable | undefined

  /** The answer that may come yet. */
  get pending(): Fiber.Fiber<void> | undefined {
    return this.answer?.pollUnsafe() === undefined ? this.answer : undefined
  }

  isOpen(): boolean {
    return !this.isUnderWay && this.#brought.length === 0 && performance.now() >= this.#restsUntil
  }

  take(limit: number): ReadonlyArray<Item> {
    return this.#brought.splice(0, limit)
  }

  /** Takes what came too late for the claim that asked. */
  takeLate(limit: number): ReadonlyArray<Item> {
    if (this.isAwaited) return []
    if (performance.now() > this.#keptUntil) this.#brought = []
    return this.take(limit)
  }

  succeed(items: ReadonlyArray<Item>, keptUntil: number): void {
    this.#brought.push(...items)
    this.#keptUntil = keptUntil
    this.failure = undefined
    this.#restMs = 0
  }

  /** Leaves it alone for a while, which grows as it goes on failing. */
  rest(): void {
    this.#restMs = Math.min(Math.max(this.#restMs * 2, firstRestMs), maxRestMs)
    this.#restsUntil = performance.now() + this.#restMs
  }
}
