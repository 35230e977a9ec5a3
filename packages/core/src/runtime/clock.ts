import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * Whole milliseconds of the clock's monotonic time, for time limits: business time may be frozen, or jump. They are divided as
 * integers: the nanoseconds of a virtual clock that counts from 1970 are more than a number holds.
 */
export const readMonotonicMs = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/** The same by the clock of the caller. */
export const monotonicMs: Effect.Effect<number> = Effect.map(Clock.Clock, readMonotonicMs)
