import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Milliseconds of the monotonic clock, for time limits: business time may be frozen, or jump. */
export const monotonicMs: Effect.Effect<number> = Effect.map(
  Clock.monotonicTimeNanos,
  (nanos) => Number(nanos / 1_000n) / 1_000,
)
