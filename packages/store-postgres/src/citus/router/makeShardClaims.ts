import type { StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { StoreShards } from "../Shards.ts"
import { silentAfterMs } from "./failIfSilent.ts"
import type { ClaimJob, ClaimLimits } from "./ClaimJob.ts"
import { awaitAnswers, makeClaimFrom } from "./makeClaimFrom.ts"
import type { ShardSource } from "./ShardSource.ts"
import { ShardSources } from "./ShardSources.ts"

/** Shards that are claimed from at once: the host's other connections are for other calls. */
const maxAtOnce = 4
/** At most this many of them gave no answer to the last claim: each may keep its connection for long. */
const maxFailingAtOnce = 2
/** How long a claim waits for a shard at least, even if it has waited for others before. */
const minWaitMs = 1_000

/**
 * Claims from all shards, beginning with another one each time, until the limit is reached: within a shard what waits longest
 * comes first, and between shards each has its turn.
 *
 * A shard that fails or is silent does not hold up the others for long: a claim waits for silent ones some seconds in all, and for
 * those that gave no answer before only if nothing else was found. What a shard returns too late goes to the next claim, or, once a
 * third of its lease is over, to the first one after the lease. A claim fails once every shard has failed.
 */
export const makeShardClaims = Effect.fnUntraced(function* <Request extends ClaimLimits, Item>(
  shards: StoreShards,
  job: ClaimJob<Request, Item>,
): Effect.fn.Return<(request: Request) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>, never, Scope.Scope> {
  const { selectShards = () => Effect.succeed(() => true), toLate = (item: Item) => item } = job
  const claimFrom = yield* makeClaimFrom(job)
  const known = new ShardSources<Item>()

  const filterReady = Effect.fnUntraced(function* (sources: ReadonlyArray<ShardSource<Item>>, request: Request) {
    const isSelected = yield* selectShards(request)
    let failing = known.listUnderWay().filter(({ failure }) => failure !== undefined).length
    return sources.filter((source) => {
      if (!source.isReady() || !isSelected(source.shard)) return false
      return source.failure === undefined || failing++ < maxFailingAtOnce
    })
  })

  const claimInTurn = Effect.fnUntraced(function* (
    sources: ReadonlyArray<ShardSource<Item>>,
    request: Request,
    endsAt: number,
  ) {
    const claimed = known.takeLate(request.limit).map(toLate)
    let ready = sources
    while (claimed.length < request.limit) {
      ready = yield* filterReady(ready, request)
      const left = request.limit - claimed.length
      const next = ready.slice(0, Math.min(left, Math.max(maxAtOnce - known.listUnderWay().length, 1)))
      if (next.length === 0) break
      const limit = Math.floor(left / next.length)
      const waitMs = Math.max(endsAt - performance.now(), minWaitMs)
      const items = yield* claimFrom(next, { ...request, limit }, waitMs)
      claimed.push(...items.flat())
      // One that returned as much as it might has more.
      ready = [...ready.slice(next.length), ...next.filter((_, at) => items[at]?.length === limit)]
    }
    return claimed
  })

  return Effect.fnUntraced(function* (request: Request) {
    const endsAt = performance.now() + silentAfterMs
    const sources = known.takeTurn(yield* shards.all)
    const claimed = yield* claimInTurn(sources, request, endsAt)
    if (claimed.length === 0) yield* awaitAnswers(known.listPendingAnswers(), minWaitMs)
    claimed.push(...known.takeLate(request.limit - claimed.length))
    const failures = sources.flatMap(({ failure }) => failure ?? [])
    const [failure] = failures
    if (failure !== undefined && failures.length === sources.length && claimed.length === 0)
      return yield* Effect.fail(failure)
    return claimed
  })
})
