import type { StoreUnavailable } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { isSplit, type ShardPorts, type StoreShards } from "../shards/Shards.ts"
import { type ShardSource, ShardSources } from "./ShardSources.ts"
import { failIfSilent, realSleep, silentAfterMs } from "./callAtCompanies.ts"

/** Shards that are claimed from at once: the host's other connections are for other calls. */
const maxAtOnce = 4
/** How many of these may be shards that didn't answer the last claim: each can keep its connection for long. */
const maxFailingAtOnce = 2
/** The minimum time that a claim waits for a shard, even if it has waited for others before. */
const minWaitMs = 1_000

/**
 * Claims from all shards, beginning with another one each time, until the limit is reached: within a shard what waits longest
 * comes first, and between shards each has its turn.
 *
 * A shard that fails or is silent doesn't delay the others for long: a claim waits some seconds for all silent shards together. If
 * one didn't answer the last claim either, it is waited for only if nothing else was found. Late items go to the next claim during
 * the first third of their lease; later they are dropped, and due again after the lease. A claim fails once every shard has failed.
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
      const left = request.limit - claimed.length
      const next = ready.slice(0, Math.min(left, Math.max(maxAtOnce - known.listUnderWay().length, 1)))
      if (next.length === 0) break
      const limit = Math.floor(left / next.length)
      const waitMs = Math.max(endsAt - performance.now(), minWaitMs)
      const items = yield* claimFrom(next, { ...request, limit }, waitMs)
      claimed.push(...items.flat())
      // A shard that returned its limit may have more.
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

/** Waits for answers, each until its shard counts as silent, and for this many milliseconds at most. */
const awaitAnswers = (answers: ReadonlyArray<Fiber.Fiber<void>>, ms: number): Effect.Effect<void> =>
  Effect.raceFirst(
    Effect.forEach(answers, (answer) => Fiber.join(answer), { concurrency: "unbounded", discard: true }),
    realSleep(ms),
  )

/**
 * Claims from some shards at once; returns the items of each.
 *
 * Each claim runs on a fiber of its own, even after its caller has stopped waiting. The caller waits up to `waitMs`, but not for
 * shards that didn't answer the last claim.
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
    // The claim that takes it renews it within half a lease: a third and a half are less than a whole one.
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

/** The limits of every claim. */
export interface ClaimLimits {
  readonly limit: number
  /** For how long what is claimed is leased, in milliseconds. */
  readonly leaseMs: number
}

/** How work is claimed from the shards. */
export interface ClaimJob<Request extends ClaimLimits, Item> {
  readonly claim: (shard: ShardPorts, request: Request) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>
  /** Which shards are claimed from at all; by default all. */
  readonly selectShards?: (request: Request) => Effect.Effect<(shard: ShardPorts) => boolean>
  /** Changes an item that came too late for its own claim, before another claim gets it; by default it stays as it is. */
  readonly adaptLate?: (item: Item) => Item
  /** What is logged when a shard fails that didn't fail before. */
  readonly complaint: string
}
