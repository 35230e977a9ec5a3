import type { StoreUnavailable } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/telemetry"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { isSplit, type ShardPorts, type StoreShards } from "../Shards.ts"
import { withinPatience } from "./withinPatience.ts"

interface Limited {
  readonly limit: number
}

/** How work is claimed from the shards. */
export interface ClaimJob<Request extends Limited, Item> {
  readonly claim: (shard: ShardPorts, request: Request) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>
  /** Whether the shard is asked at all; by default it is. */
  readonly isWanted?: (shard: ShardPorts, request: Request) => boolean
  /** What is logged when a shard fails that didn't fail before. */
  readonly complaint: string
}

/** Shards that are asked at once: others of the host's connections are for other calls. */
const mostAtOnce = 4
const firstRestMs = 500
const longestRestMs = 5_000

/** One shard, as claims know it. */
class Source<Item> {
  /** What it has brought and no claim has taken. */
  readonly #brought: Array<Item> = []
  isUnderWay = false
  /** Why it gave no answer when it was asked last, if so. */
  failure: StoreUnavailable | undefined
  #restMs = 0
  #restsUntil = 0

  isOpen(): boolean {
    return !this.isUnderWay && this.#brought.length === 0 && performance.now() >= this.#restsUntil
  }

  take(limit: number): ReadonlyArray<Item> {
    return this.#brought.splice(0, limit)
  }

  succeed(items: ReadonlyArray<Item>): void {
    this.#brought.push(...items)
    this.failure = undefined
    this.#restMs = 0
  }

  /** Leaves it alone for a while, which grows as it goes on failing. */
  rest(): void {
    this.#restMs = Math.min(Math.max(this.#restMs * 2, firstRestMs), longestRestMs)
    this.#restsUntil = performance.now() + this.#restMs
  }
}

/**
 * Claims from all shards, beginning with another one each time, until the limit is reached: within a shard what waits longest
 * comes first, and between shards each has its turn.
 *
 * A shard that fails or is silent holds up no other one: it is left out until it answers. What it brings too late for one claim
 * goes to the next. A claim fails once every shard has failed.
 */
export const makeShardClaims = Effect.fnUntraced(function* <Request extends Limited, Item>(
  shards: StoreShards,
  { claim, isWanted = () => true, complaint }: ClaimJob<Request, Item>,
): Effect.fn.Return<(request: Request) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>, never, Scope.Scope> {
  const run = yield* FiberSet.makeRuntime()
  const sources = new Map<string, Source<Item>>()
  let turn = 0

  const sourceOf = ({ id }: ShardPorts): Source<Item> => {
    const known = sources.get(id)
    if (known !== undefined) return known
    const source = new Source<Item>()
    sources.set(id, source)
    return source
  }

  const fail = (source: Source<Item>, failure: StoreUnavailable): Effect.Effect<void> => {
    const isNew = source.failure === undefined && !isSplit(failure)
    source.failure = failure
    return isNew ? logFailure("Warn", complaint, failure) : Effect.void
  }

  /** Asks a shard, on a fiber that goes on when the claim no longer waits for it. */
  const ask = (shard: ShardPorts, request: Request): Effect.Effect<ReadonlyArray<Item>> =>
    Effect.suspend(() => {
      const source = sourceOf(shard)
      if (!source.isOpen()) return Effect.succeed([])
      source.isUnderWay = true
      const asking = claim(shard, request).pipe(
        Effect.matchEffect({
          onSuccess: (items) => Effect.sync(() => source.succeed(items)),
          onFailure: (failure) =>
            Effect.andThen(
              fail(source, failure),
              Effect.sync(() => source.rest()),
            ),
        }),
        Effect.ensuring(Effect.sync(() => void (source.isUnderWay = false))),
      )
      return withinPatience(Fiber.join(run(asking))).pipe(
        Effect.catch((silence) => fail(source, silence)),
        Effect.map(() => source.take(request.limit)),
      )
    })

  return Effect.fnUntraced(function* (request: Request) {
    const all = yield* shards.all
    const start = turn++ % Math.max(all.length, 1)
    const inTurn = [...all.slice(start), ...all.slice(0, start)]
    const claimed: Array<Item> = []
    for (const source of sources.values()) claimed.push(...source.take(request.limit - claimed.length))
    const open = inTurn.filter((shard) => sourceOf(shard).isOpen() && isWanted(shard, request))
    while (claimed.length < request.limit && open.length > 0) {
      const left = request.limit - claimed.length
      const asked = open.splice(0, Math.min(mostAtOnce, left))
      const limit = Math.floor(left / asked.length)
      const brought = yield* Effect.forEach(asked, (shard) => ask(shard, { ...request, limit }), {
        concurrency: "unbounded",
      })
      claimed.push(...brought.flat())
      // One that brought as much as it might has more.
      open.push(...asked.filter((_, at) => brought[at]?.length === limit))
    }
    const failures = all.flatMap((shard) => sourceOf(shard).failure ?? [])
    const [failure] = failures
    if (failure !== undefined && failures.length === all.length && claimed.length === 0)
      return yield* Effect.fail(failure)
    return claimed
  })
})
