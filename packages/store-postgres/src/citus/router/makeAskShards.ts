import type { StoreUnavailable } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import { isSplit, type ShardPorts } from "../Shards.ts"
import type { ClaimJob, ClaimLimits } from "./ClaimJob.ts"
import type { ShardSource } from "./ShardSource.ts"
import { realSleep, unlessSilent } from "./unlessSilent.ts"

/** A shard, and what claims know of it. */
export interface Asked<Item> {
  readonly shard: ShardPorts
  readonly source: ShardSource<Item>
}

/** Waits for answers, each until its shard counts as silent, and so long at most. */
export const awaitAnswers = (answers: ReadonlyArray<Fiber.Fiber<void>>, ms: number): Effect.Effect<void> =>
  Effect.raceFirst(
    Effect.forEach(answers, (answer) => Fiber.join(answer), { concurrency: "unbounded", discard: true }),
    realSleep(ms),
  )

/**
 * Asks shards, each on a fiber that goes on when no claim waits for it any more, and waits for their answers for a while, but not
 * for those of shards that gave none before. Returns what each of them has brought.
 */
export const makeAskShards = Effect.fnUntraced(function* <Request extends ClaimLimits, Item>({
  claim,
  complaint,
}: ClaimJob<Request, Item>) {
  const run = yield* FiberSet.makeRuntime()

  const fail = (source: ShardSource<Item>, failure: StoreUnavailable): Effect.Effect<void> => {
    const isNew = source.failure === undefined
    source.failure = failure
    return isNew ? logFailure("Warn", complaint, failure) : Effect.void
  }

  const begin = ({ shard, source }: Asked<Item>, request: Request): Fiber.Fiber<void> => {
    // Who takes it then renews it within half of a lease, while it still holds.
    const keptUntil = performance.now() + request.leaseMs / 3
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

  return Effect.fnUntraced(function* (asked: ReadonlyArray<Asked<Item>>, request: Request, waitMs: number) {
    const answers = asked.flatMap((one) => {
      const isSound = one.source.failure === undefined
      const answer = begin(one, request)
      return isSound ? [answer] : []
    })
    const giveUp = () => {
      for (const { source } of asked) source.isAwaited = false
    }
    yield* Effect.onError(awaitAnswers(answers, waitMs), () => Effect.sync(giveUp))
    giveUp()
    return asked.map(({ source }) => source.take(request.limit))
  })
})
