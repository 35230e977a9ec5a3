import type { StoreUnavailable } from "@pixcharge/core"
import { nextDelayMs } from "@pixcharge/core/internal"
import type * as Fiber from "effect/Fiber"
import type { ShardPorts } from "../shards/Shards.ts"

export class ShardSources<Item> {
  readonly #byId = new Map<string, ShardSource<Item>>()
  #turn = 0

  /** Each call begins with the next source. */
  takeTurn(shards: ReadonlyArray<ShardPorts>): ReadonlyArray<ShardSource<Item>> {
    const sources = shards.map((shard) => this.#find(shard))
    const start = this.#turn++ % Math.max(sources.length, 1)
    return [...sources.slice(start), ...sources.slice(0, start)]
  }

  listUnderWay(): ReadonlyArray<ShardSource<Item>> {
    return [...this.#byId.values()].filter(({ isUnderWay }) => isUnderWay)
  }

  listPendingAnswers(): ReadonlyArray<Fiber.Fiber<void>> {
    return [...this.#byId.values()].flatMap(({ pendingAnswer }) => pendingAnswer ?? [])
  }

  /** Takes items that arrived after their claim had stopped waiting. */
  takeLate(limit: number): ReadonlyArray<Item> {
    const taken: Array<Item> = []
    for (const source of this.#byId.values()) taken.push(...source.takeLate(limit - taken.length))
    return taken
  }

  #find(shard: ShardPorts): ShardSource<Item> {
    const source = this.#byId.get(shard.id) ?? new ShardSource<Item>(shard)
    this.#byId.set(shard.id, source)
    return source
  }
}

const coolDownRule = { firstMs: 500, maxMs: 5_000 }

export class ShardSource<Item> {
  readonly shard: ShardPorts
  #items: Array<Item> = []
  #keptUntil = 0
  #coolDownMs = 0
  #coolDownUntil = 0
  isUnderWay = false
  isAwaited = false
  /** The wait for the last claim. It ends with the shard's answer, or once the shard counts as silent. */
  answer: Fiber.Fiber<void> | undefined
  failure: StoreUnavailable | undefined

  constructor(shard: ShardPorts) {
    this.shard = shard
  }

  get pendingAnswer(): Fiber.Fiber<void> | undefined {
    return this.answer?.pollUnsafe() === undefined ? this.answer : undefined
  }

  isReady(): boolean {
    return !this.isUnderWay && this.#items.length === 0 && performance.now() >= this.#coolDownUntil
  }

  take(limit: number): ReadonlyArray<Item> {
    return this.#items.splice(0, limit)
  }

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

  /** Doubles the cool-down if no call has succeeded since the last cool-down. */
  coolDown(): void {
    this.#coolDownMs = nextDelayMs(coolDownRule, this.#coolDownMs)
    this.#coolDownUntil = performance.now() + this.#coolDownMs
  }
}
