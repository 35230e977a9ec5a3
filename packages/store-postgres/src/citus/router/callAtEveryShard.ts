import type { StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { isSplit, type ShardPorts, type StoreShards } from "../Shards.ts"

/** The answers of all shards, and the failures of those that gave none. */
export interface EveryAnswer<A> {
  readonly answers: ReadonlyArray<A>
  readonly failures: ReadonlyArray<StoreUnavailable>
}

/**
 * Makes a call at every shard, one after the other or this many at once; one that fails does not keep the others from being called.
 * If one was split meanwhile, those are called that took its place. Fails if the shards can't be read.
 */
export const callAtEveryShard = ({ all }: Pick<StoreShards, "all">) =>
  Effect.fnUntraced(function* <A>(
    call: (shard: ShardPorts) => Effect.Effect<A, StoreUnavailable>,
    concurrency = 1,
  ): Effect.fn.Return<EveryAnswer<A>, StoreUnavailable> {
    const called = new Set<string>()
    const answers: Array<A> = []
    const failures: Array<StoreUnavailable> = []
    for (;;) {
      const shards = (yield* all).filter(({ id }) => !called.has(id))
      for (const { id } of shards) called.add(id)
      const [passed, failed] = yield* Effect.partition(shards, call, { concurrency })
      answers.push(...passed)
      failures.push(...failed.filter((failure) => !isSplit(failure)))
      if (!failed.some(isSplit)) return { answers, failures }
    }
  })

/** The answers of all shards; fails if one of them has failed, once all were called. */
export const requireAllAnswers = <A>(
  every: Effect.Effect<EveryAnswer<A>, StoreUnavailable>,
): Effect.Effect<ReadonlyArray<A>, StoreUnavailable> =>
  Effect.flatMap(every, ({ answers, failures: [first] }) =>
    first === undefined ? Effect.succeed(answers) : Effect.fail(first),
  )
