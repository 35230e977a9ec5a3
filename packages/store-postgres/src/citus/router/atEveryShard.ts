import type { StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { isSplit, type ShardPorts, type StoreShards } from "../Shards.ts"

/** What all shards have answered, or failed with. */
export interface Every<A> {
  readonly answers: ReadonlyArray<A>
  readonly failures: ReadonlyArray<StoreUnavailable>
}

/**
 * Makes a call at every shard, at one after the other or at this many at once; one that fails holds up no other. In place of a
 * shard that was split meanwhile, those are called that it was split into. Fails if the shards aren't known.
 */
export const atEveryShard = ({ all }: Pick<StoreShards, "all">) =>
  Effect.fnUntraced(function* <A>(
    call: (shard: ShardPorts) => Effect.Effect<A, StoreUnavailable>,
    concurrency = 1,
  ): Effect.fn.Return<Every<A>, StoreUnavailable> {
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
export const allAnswers = <A>(
  every: Effect.Effect<Every<A>, StoreUnavailable>,
): Effect.Effect<ReadonlyArray<A>, StoreUnavailable> =>
  Effect.flatMap(every, ({ answers, failures: [first] }) =>
    first === undefined ? Effect.succeed(answers) : Effect.fail(first),
  )
