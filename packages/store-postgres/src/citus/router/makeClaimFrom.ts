import type { StoreUnavailable } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import { isSplit } from "../Shards.ts"
import { failIfSilent, realSleep } from "./failIfSilent.ts"
import type { ClaimJob, ClaimLimits } from "./ClaimJob.ts"
import type { ShardSource } from "./ShardSource.ts"

/** Waits for answers, each until its shard counts as silent, and for this many milliseconds at most. */
export const awaitAnswers = (answers: ReadonlyArray<Fiber.Fiber<void>>, ms: number): Effect.Effect<void> =>
  Effect.raceFirst(
    Effect.forEach(answers, (answer) => Fiber.join(answer), { concurrency: "unbounded", discard: true }),
    realSleep(ms),
  )

/**
 * Claims from some shards at once; returns the items of each.
 *
 * Each claim runs on a fiber that goes on when nobody waits for it any more. Answers are waited for during `waitMs`, but not those
 * of shards that gave none to the claim before.
 */
export const makeClaimFrom = Effect.fnUntraced(function* <Request extends ClaimLimits, Item>({
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
    // The claim that takes it then renews it within half of a lease, while it still holds.
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
