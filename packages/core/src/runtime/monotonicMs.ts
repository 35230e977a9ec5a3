import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Milliseconds of the clock that nobody sets, for what must end in time; business time may stand still, or jump. */
export const monotonicMs: Effect.Effect<number> = Effect.map(
  Clock.monotonicTimeNanos,
  (nanos) => Number(nanos / 1_000n) / 1_000,
)
