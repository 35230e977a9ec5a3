import type { StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ShardPorts, StoreShards } from "../Shards.ts"
import type { ClaimJob, ClaimLimits } from "./ClaimJob.ts"
import { type Asked, awaitAnswers, makeAskShards } from "./makeAskShards.ts"
import { ShardSource } from "./ShardSource.ts"
import { silentAfterMs } from "./unlessSilent.ts"

/** Shards that are asked at once: others of the host's connections are for other calls. */
const maxAtOnce = 4
/** Of those that gave no answer when they were asked last, this many: each may keep its connection for long. */
const maxFailingAtOnce = 2
/** How long a claim waits for a shard, however long it has waited for others. */
const leastWaitMs = 1_000

/**
 * Claims from all shards, beginning with another one each time, until the limit is reached: within a shard what waits longest
 * comes first, and between shards each has its turn.
 *
 * A shard that fails or is silent holds up no other one for long: a claim waits for silent ones some seconds in all, and for those that
 * gave no answer before only if nothing else was found. What a shard brings too late goes to the next claim, or, once a
 * third of its lease is over, to the first one after the lease. A claim fails once every shard has failed.
 */
export const makeShardClaims = Effect.fnUntraced(function* <Request extends ClaimLimits, Item>(
  shards: StoreShards,
  job: ClaimJob<Request, Item>,
): Effect.fn.Return<(request: Request) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>, never, Scope.Scope> {
  const { wanted = () => Effect.succeed(() => true), late = (item: Item) => item } = job
  const ask = yield* makeAskShards(job)
  const sources = new Map<string, ShardSource<Item>>()
  let turn = 0

  const withSource = (shard: ShardPorts): Asked<Item> => {
    const source = sources.get(shard.id) ?? new ShardSource<Item>()
    sources.set(shard.id, source)
    return { shard, source }
  }

  const underWay = () => [...sources.values()].filter(({ isUnderWay }) => isUnderWay)

  /** Those that may be asked now. */
  const askable = Effect.fnUntraced(function* (some: ReadonlyArray<Asked<Item>>, request: Request) {
    const isWanted = yield* wanted(request)
    let failing = underWay().filter(({ failure }) => failure !== undefined).length
    return some.filter(({ shard, source }) => {
      if (!source.isOpen() || !isWanted(shard)) return false
      return source.failure === undefined || failing++ < maxFailingAtOnce
    })
  })

  const takeLate = (limit: number): ReadonlyArray<Item> => {
    const taken: Array<Item> = []
    for (const source of sources.values()) taken.push(...source.takeLate(limit - taken.length))
    return taken
  }

  return Effect.fnUntraced(function* (request: Request) {
    const endsAt = performance.now() + silentAfterMs
    const all = (yield* shards.all).map(withSource)
    const start = turn++ % Math.max(all.length, 1)
    const claimed = takeLate(request.limit).map(late)
    let open: ReadonlyArray<Asked<Item>> = [...all.slice(start), ...all.slice(0, start)]
    while (claimed.length < request.limit) {
      open = yield* askable(open, request)
      const left = request.limit - claimed.length
      const asked = open.slice(0, Math.min(left, Math.max(maxAtOnce - underWay().length, 1)))
      if (asked.length === 0) break
      const limit = Math.floor(left / asked.length)
      const waitMs = Math.max(endsAt - performance.now(), leastWaitMs)
      const brought = yield* ask(asked, { ...request, limit }, waitMs)
      claimed.push(...brought.flat())
      // One that brought as much as it might has more.
      open = [...open.slice(asked.length), ...asked.filter((_, at) => brought[at]?.length === limit)]
    }
    if (claimed.length === 0) {
      const answers = [...sources.values()].flatMap(({ pending }) => pending ?? [])
      yield* awaitAnswers(answers, leastWaitMs)
    }
    claimed.push(...takeLate(request.limit - claimed.length))
    const failures = all.flatMap(({ source }) => source.failure ?? [])
    const [failure] = failures
    if (failure !== undefined && failures.length === all.length && claimed.length === 0)
      return yield* Effect.fail(failure)
    return claimed
  })
})
