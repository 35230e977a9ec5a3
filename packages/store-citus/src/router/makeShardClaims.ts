import type { StoreUnavailable } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { isSplit, type ShardPorts, type StoreShards } from "../shards/Shards.ts"
import { type ShardSource, ShardSources } from "./ShardSources.ts"
import { failIfSilent, realSleep, silentAfterMs } from "./callAtCompanies.ts"

/** The host's other connections stay free for other calls. */
const maxAtOnce = 4
/** The maximum number of simultaneous claims at shards that didn't answer their last claim. */
const maxFailingAtOnce = 2
/** The minimum wait for a shard, in milliseconds, even after waits for other shards. */
const minWaitMs = 1_000

/**
 * Claims from all shards in turn until the limit is reached. Within a shard, the oldest item comes first.
 *
 * A claim waits some seconds for all silent shards together. It waits for a shard that missed the last claim only if it found no
 * other item. The next claim gets late items during the first third of their lease; later items are dropped, and due again after
 * the lease. A claim fails once every shard has failed.
 */
export const makeShardClaims = Effect.fnUntraced(function* <Request extends ClaimLimits, Item>(
  shards: StoreShards,
  job: ClaimJob<Request, Item>,
): Effect.fn.Return<(request: Request) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>, never, Scope.Scope> {
  const { selectShards = () => Effect.succeed(() => true), adaptLate = (item: Item) => item } = job
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
    const claimed = known.takeLate(request.limit).map(adaptLate)
    let ready = sources
    while (claimed.length < request.limit) {
      ready = yield* filterReady(ready, request)
      const remaining = request.limit - claimed.length
      const next = ready.slice(0, Math.min(remaining, Math.max(maxAtOnce - known.listUnderWay().length, 1)))
      if (next.length === 0) break
      const limit = Math.floor(remaining / next.length)
      const waitMs = Math.max(endsAt - performance.now(), minWaitMs)
      const items = yield* claimFrom(next, { ...request, limit }, waitMs)
      claimed.push(...items.flat())
      ready = [...ready.slice(next.length), ...next.filter((_, index) => items[index]?.length === limit)]
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

const awaitAnswers = (answers: ReadonlyArray<Fiber.Fiber<void>>, ms: number): Effect.Effect<void> =>
  Effect.raceFirst(
    Effect.forEach(answers, (answer) => Fiber.join(answer), { concurrency: "unbounded", discard: true }),
    realSleep(ms),
  )

/**
 * A claim continues after its caller stops waiting. The caller waits up to `waitMs`, but not for shards that missed the last
 * claim.
 */
const makeClaimFrom = Effect.fnUntraced(function* <Request extends ClaimLimits, Item>({
  claim,
  complaint,
}: ClaimJob<Request, Item>) {
  const run = yield* FiberSet.makeRuntime()

  const fail = (source: ShardSource<Item>, failure: StoreUnavailable): Effect.Effect<void> => {
    const isNew = source.failure === undefined
    source.failure = failure
    return isNew ? logFailure("Warn", complaint, failure) : Effect.void
  }

  const begin = (source: ShardSource<Item>, request: Request): Fiber.Fiber<void> => {
    // A claim that takes late items renews their leases within half a lease. Together, 1/3 + 1/2 is less than a whole lease.
    const keptUntil = performance.now() + request.leaseMs / 3
    source.isUnderWay = true
    source.isAwaited = true
    const claiming = claim(source.shard, request).pipe(
      Effect.matchEffect({
        onSuccess: (items) => Effect.sync(() => source.succeed(items, keptUntil)),
        onFailure: (failure) => {
          source.coolDown()
          return isSplit(failure) ? Effect.void : fail(source, failure)
        },
      }),
      Effect.ensuring(Effect.sync(() => void (source.isUnderWay = false))),
    )
    const answer = failIfSilent(Fiber.join(run(claiming)))
    return (source.answer = run(Effect.catch(answer, (silence) => fail(source, silence))))
  }

  return Effect.fnUntraced(function* (sources: ReadonlyArray<ShardSource<Item>>, request: Request, waitMs: number) {
    const answers = sources.flatMap((source) => {
      const isSound = source.failure === undefined
      const answer = begin(source, request)
      return isSound ? [answer] : []
    })
    const stopWaiting = () => {
      for (const source of sources) source.isAwaited = false
    }
    yield* Effect.onError(awaitAnswers(answers, waitMs), () => Effect.sync(stopWaiting))
    stopWaiting()
    return sources.map((source) => source.take(request.limit))
  })
})

export interface ClaimLimits {
  readonly limit: number
  readonly leaseMs: number
}

export interface ClaimJob<Request extends ClaimLimits, Item> {
  readonly claim: (shard: ShardPorts, request: Request) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>
  /** All shards by default. */
  readonly selectShards?: (request: Request) => Effect.Effect<(shard: ShardPorts) => boolean>
  /** Changes a late item before another claim gets it. */
  readonly adaptLate?: (item: Item) => Item
  readonly complaint: string
}
