import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type PspUnanswered, failNotSent } from "./PspUnanswered.ts"

/** A pause that the bank asks for (429) is waited out up to this long; during a longer one calls fail. */
export const maxPauseWaitMs = 2_000

/** Keeps the pauses that a bank asks for. */
export interface RateLimit {
  /** Waits until the bank may be called; fails with `PspUnanswered` if that takes longer than 2 s. */
  readonly wait: Effect.Effect<void, PspUnanswered>
  /** The bank asks for a pause; a longer one that has begun goes on. */
  readonly pause: (ms: number) => Effect.Effect<void>
}

/** No pause yet. */
export const makeRateLimit = (): RateLimit => {
  let pausedUntil = 0
  return {
    wait: Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<void, PspUnanswered> => {
      const pauseMs = pausedUntil - now
      if (pauseMs <= maxPauseWaitMs) return pauseMs > 0 ? Effect.sleep(pauseMs) : Effect.void
      return failNotSent("rateLimited", pauseMs)
    }),
    pause: (ms) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        pausedUntil = Math.max(pausedUntil, now + ms)
      }),
  }
}
