import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type NoAnswer, notSent } from "./NoAnswer.ts"

/** This many failures in a row open the circuit. */
export const failuresToOpen = 8
/** While it is open no call is made; then one goes as a probe, whose end decides for the others. */
export const openMs = 10_000

/**
 * Leaves a failing bank alone for a while. The dispatcher has a circuit breaker of its own, which counts the deliveries
 * under way: calls to a bank aren't counted, so here time ends a probe that never comes back.
 */
export interface CircuitBreaker {
  /** Lets a call pass; fails with `NoAnswer` while the circuit is open. */
  readonly pass: Effect.Effect<void, NoAnswer>
  /** The bank answered, whatever it said. */
  readonly succeeded: Effect.Effect<void>
  /** No answer came, or one that says that the bank is failing. */
  readonly failed: Effect.Effect<void>
}

/** A closed circuit. Its state is in this process: every process learns by itself. */
export const makeCircuitBreaker = (): CircuitBreaker => {
  let failures = 0
  let openUntil = 0

  const pass = Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<void, NoAnswer> => {
    if (openUntil > now) return notSent("circuitOpen", openUntil - now)
    // The probe holds the other calls back until its end is known.
    if (failures >= failuresToOpen) openUntil = now + openMs
    return Effect.void
  })

  return {
    pass,
    succeeded: Effect.sync(() => {
      failures = 0
      openUntil = 0
    }),
    failed: Effect.map(Clock.currentTimeMillis, (now) => {
      failures += 1
      if (failures >= failuresToOpen) openUntil = now + openMs
    }),
  }
}
