import type { StoreUnavailable } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/telemetry"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { isSplit, type ShardPorts, type StoreShards } from "../Shards.ts"
import { ShardSource } from "./ShardSource.ts"
import { realSleep, silentAfterMs, unlessSilent } from "./unlessSilent.ts"

interface Limited {
  readonly limit: number
  /** For how long what is claimed is leased, in milliseconds. */
  readonly leaseMs: number
}

/** How work is claimed from the shards. */
export interface ClaimJob<Request extends Limited, Item> {
  readonly claim: (shard: ShardPorts, request: Request) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>
  /** Which shards are asked at all; by default all. */
  readonly wanted?: (request: Request) => Effect.Effect<(shard: ShardPorts) => boolean>
  /** What another claim is given of an item that came too late for its own; by default the item as it is. */
  readonly late?: (item: Item) => Item
  /** What is logged when a shard fails that didn't fail before. */
  readonly complaint: string
}

/** Shards that are asked at once: others of the host's connections are for other calls. */
const mostAtOnce = 4
/** Of those that gave no answer when they were asked last, so many: each may keep its connection for long. */
const mostFailingAtOnce = 2
/** For how long a claim waits for shards, however long it has waited for others. */
const leastWaitMs = 1_000

/** Waits for answers, each until its shard counts as silent, and so long at most. */
const awaitAll = (answers: ReadonlyArray<Fiber.Fiber<void>>, ms: number): Effect.Effect<void> =>
  Effect.raceFirst(
    Effect.forEach(answers, (answer) => Fiber.join(answer), { concurrency: "unbounded", discard: true }),
    realSleep(ms),
  )

/**
 * Claims from all shards, beginning with another one each time, until the limit is reached: within a shard what waits longest
 * comes first, and between shards each has its turn.
 *
 * A shard that fails or is silent holds up no other one for long: a claim waits for silent ones some seconds in all, and not for
 * those that gave no answer before, unless nothing else was found. What a shard brings too late goes to the next claim, or, once half of
 * its lease is over, to the first one after the lease. A claim fails once every shard has failed.
 */
export const makeShardClaims = Effect.fnUntraced(function* <Request extends Limited, Item>(
  shards: StoreShards,
  { claim, wanted = () => Effect.succeed(() => true), late = (item) => item, complaint }: ClaimJob<Request, Item>,
): Effect.fn.Return<(request: Request) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>, never, Scope.Scope> {
  const run = yield* FiberSet.makeRuntime()
  const sources = new Map<string, ShardSource<Item>>()
  let turn = 0

  const sourceOf = ({ id }: ShardPorts): ShardSource<Item> => {
    const known = sources.get(id)
    if (known !== undefined) return known
    const source = new ShardSource<Item>()
    sources.set(id, source)
    return source
  }

  const underWay = () => [...sources.values()].filter(({ isUnderWay }) => isUnderWay)

  const fail = (source: ShardSource<Item>, failure: StoreUnavailable): Effect.Effect<void> => {
    const isNew = source.failure === undefined
    source.failure = failure
    return isNew ? logFailure("Warn", complaint, failure) : Effect.void
  }

  /** Asks a shard, on a fiber that goes on when no claim waits for it any more. */
  const begin = (source: ShardSource<Item>, shard: ShardPorts, request: Request): Fiber.Fiber<void> => {
    const keptUntil = performance.now() + request.leaseMs / 2
    source.isUnderWay = true
    source.isAwaited = true
    const asking = claim(shard, request).pipe(
      Effect.matchEffect({
        onSuccess: (items) => Effect.sync(() => source.succeed(items, keptUntil)),
        onFailure: (failure) => {
          source.rest()
          return isSplit(failure) ? Effect.void : fail(source, failure)
        },
      }),
      Effect.ensuring(Effect.sync(() => void (source.isUnderWay = false))),
    )
    const answer = unlessSilent(Fiber.join(run(asking)))
    return (source.answer = run(Effect.catch(answer, (silence) => fail(source, silence))))
  }

  /** Asks shards and waits for them, but not for those that gave no answer before; what each of them brought. */
  const ask = Effect.fnUntraced(function* (asked: ReadonlyArray<ShardPorts>, request: Request, waitMs: number) {
    const answers: Array<Fiber.Fiber<void>> = []
    for (const shard of asked) {
      const source = sourceOf(shard)
      const isSound = source.failure === undefined
      const answer = begin(source, shard, request)
      if (isSound) answers.push(answer)
    }
    const giveUp = () => {
      for (const shard of asked) sourceOf(shard).isAwaited = false
    }
    yield* Effect.onError(awaitAll(answers, waitMs), () => Effect.sync(giveUp))
    giveUp()
    return asked.map((shard) => sourceOf(shard).take(request.limit))
  })

  /** Those that may be asked now. */
  const askable = Effect.fnUntraced(function* (some: ReadonlyArray<ShardPorts>, request: Request) {
    const isWanted = yield* wanted(request)
    let failing = underWay().filter(({ failure }) => failure !== undefined).length
    return some.filter((shard) => {
      const source = sourceOf(shard)
      if (!source.isOpen() || !isWanted(shard)) return false
      return source.failure === undefined || failing++ < mostFailingAtOnce
    })
  })

  const pending = () => [...sources.values()].flatMap(({ pending: answer }) => answer ?? [])

  const takeLate = (limit: number): ReadonlyArray<Item> => {
    const taken: Array<Item> = []
    for (const source of sources.values()) taken.push(...source.takeLate(limit - taken.length))
    return taken
  }

  return Effect.fnUntraced(function* (request: Request) {
    const endsAt = performance.now() + silentAfterMs
    const all = yield* shards.all
    const start = turn++ % Math.max(all.length, 1)
    const claimed = takeLate(request.limit).map(late)
    let open: ReadonlyArray<ShardPorts> = [...all.slice(start), ...all.slice(0, start)]
    while (claimed.length < request.limit) {
      open = yield* askable(open, request)
      const left = request.limit - claimed.length
      const asked = open.slice(0, Math.min(left, Math.max(mostAtOnce - underWay().length, 1)))
      if (asked.length === 0) break
      const limit = Math.floor(left / asked.length)
      const waitMs = Math.max(endsAt - performance.now(), leastWaitMs)
      const brought = yield* ask(asked, { ...request, limit }, waitMs)
      claimed.push(...brought.flat())
      // One that brought as much as it might has more.
      open = [...open.slice(asked.length), ...asked.filter((_, at) => brought[at]?.length === limit)]
    }
    if (claimed.length === 0) yield* awaitAll(pending(), leastWaitMs)
    claimed.push(...takeLate(request.limit - claimed.length))
    const failures = all.flatMap((shard) => sourceOf(shard).failure ?? [])
    const [failure] = failures
    if (failure !== undefined && failures.length === all.length && claimed.length === 0)
      return yield* Effect.fail(failure)
    return claimed
  })
})
