import { afterFailure, type BreakerRule, closedBreaker } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type PspUnanswered, failNotSent } from "./PspUnanswered.ts"

/** While the circuit is open no call is made; then one goes as a probe, whose end decides for the others. */
export const openMs = 10_000

export const rule: BreakerRule = { failuresToOpen: 8, firstMs: openMs, maxMs: openMs }

/** Leaves a failing bank alone for a while. */
export interface BankBreaker {
  /** Lets a call pass; fails with `PspUnanswered` while the circuit is open. */
  readonly pass: Effect.Effect<void, PspUnanswered>
  /** The bank answered, a refusal included. */
  readonly succeeded: Effect.Effect<void>
  /** No answer came, or one that says that the bank is failing. */
  readonly failed: Effect.Effect<void>
}

/** A closed circuit. Its state is in this process: every process learns by itself. */
export const makeBankBreaker = (): BankBreaker => {
  let breaker = closedBreaker
  // Calls aren't counted, so time ends a probe that never comes back.
  let probeUntil = 0

  return {
    pass: Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<void, PspUnanswered> => {
      const openUntil = Math.max(breaker.coolDownUntil, probeUntil)
      if (openUntil > now) return failNotSent("circuitOpen", openUntil - now)
      if (breaker.coolDownUntil !== 0) probeUntil = now + openMs
      return Effect.void
    }),
    succeeded: Effect.sync(() => {
      breaker = closedBreaker
      probeUntil = 0
    }),
    failed: Effect.map(Clock.currentTimeMillis, (now) => {
      breaker = afterFailure(breaker, rule, now)
    }),
  }
}
