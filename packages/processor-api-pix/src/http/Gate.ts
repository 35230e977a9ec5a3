import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** The bank is not to be called now. */
class GateClosed extends Data.TaggedError("GateClosed")<{
  readonly reason: "circuitOpen" | "rateLimited"
  readonly retryAfterMs: number
}> {}

/** So many calls in a row without an answer open the circuit. */
export const mostFailures = 8
/** So long no call is made; then one goes first and its end decides for the others. */
export const openMs = 10_000
/** A pause that the bank asks for (429) is waited out up to this long; beyond, the caller is told to come back. */
export const longestWaitMs = 2_000

/** Whether a bank may be called: a circuit breaker, and the pauses that the bank asks for. */
export interface Gate {
  /** Lets a call pass, after a short pause if need be. */
  readonly pass: Effect.Effect<void, GateClosed>
  /** The bank answered, whatever it said. */
  readonly answered: Effect.Effect<void>
  /** No answer came, or one that says that the bank is ill. */
  readonly failed: Effect.Effect<void>
  /** The bank asks not to be called for so long. */
  readonly pause: (ms: number) => Effect.Effect<void>
}

/** An open gate. Its state is in this process: every process learns for itself. */
export const makeGate = (): Gate => {
  let failures = 0
  let openUntil = 0
  let pausedUntil = 0

  const pass = Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<void, GateClosed> => {
    if (openUntil > now) return new GateClosed({ reason: "circuitOpen", retryAfterMs: openUntil - now })
    const pauseMs = pausedUntil - now
    if (pauseMs > longestWaitMs) return new GateClosed({ reason: "rateLimited", retryAfterMs: pauseMs })
    // The one that goes first holds the others back until it is known how it ended.
    if (failures >= mostFailures) openUntil = now + openMs
    return pauseMs > 0 ? Effect.sleep(pauseMs) : Effect.void
  })

  return {
    pass,
    answered: Effect.sync(() => {
      failures = 0
      openUntil = 0
    }),
    failed: Effect.map(Clock.currentTimeMillis, (now) => {
      failures += 1
      if (failures >= mostFailures) openUntil = now + openMs
    }),
    pause: (ms) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        pausedUntil = Math.max(pausedUntil, now + ms)
      }),
  }
}
