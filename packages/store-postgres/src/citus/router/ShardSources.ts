import type * as Fiber from "effect/Fiber"
import type { ShardPorts } from "../Shards.ts"
import { ShardSource } from "./ShardSource.ts"

/** The shards that claims take items from. */
export class ShardSources<Item> {
  readonly #byId = new Map<string, ShardSource<Item>>()
  #turn = 0

  /** The source of each of these shards, beginning with another one each time. */
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

  /** Takes what came too late for the claims that it was leased for. */
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
