import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * Whole milliseconds. Use them in time limits: business time can freeze or jump. Divides as a bigint, because a virtual clock's
 * nanoseconds since 1970 exceed a safe number.
 */
export const readMonotonicMs = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

export const monotonicMs: Effect.Effect<number> = Effect.map(Clock.Clock, readMonotonicMs)
