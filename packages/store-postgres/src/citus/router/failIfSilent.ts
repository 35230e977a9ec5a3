import { StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { SqlFailure } from "../../database/SqlFailure.ts"

/** A shard that gave no answer for this long is silent: calls to others don't wait for it any longer. */
export const silentAfterMs = 5_000

/** Waits in real time, for a test that moves the clock by days must not time a shard out. */
export const realSleep = (ms: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => resume(Effect.void), ms)
    return Effect.sync(() => clearTimeout(timer))
  })

const failAsSilent = Effect.fail(
  new StoreUnavailable({
    operation: "shard",
    cause: new SqlFailure({
      kind: "lost",
      sqlState: "",
      message: `no answer from the shard for ${silentAfterMs / 1000} s`,
    }),
  }),
)

/** Fails once a shard is silent, so that others needn't wait for it; the call may still be carried out. */
export const failIfSilent = <A>(call: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A, StoreUnavailable> =>
  Effect.raceFirst(call, Effect.andThen(realSleep(silentAfterMs), failAsSilent))
