import { afterFailure, type BreakerRule, closedBreaker } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { failNotSent, type PspUnanswered } from "../connection/Transport.ts"
import type { Pace, Turn } from "./Pace.ts"

export interface BankGate {
  /** Sends the request in its turn, or fails with `PspUnanswered`. */
  readonly pass: <A, E>(turn: Turn, request: Effect.Effect<A, E>) => Effect.Effect<A, E | PspUnanswered>
  readonly breaker: Pick<BankBreaker, "succeeded" | "failed">
  readonly pause: RateLimit["pause"]
}

export const makeBankGate = (pace: Pace): BankGate => {
  const breaker = makeBankBreaker()
  const { wait, pause } = makeRateLimit()

  const enter = Effect.fnUntraced(function* (turn: Turn) {
    yield* wait
    const taken = yield* pace.take(turn)
    // Meanwhile, the bank can have requested a pause in its answer to another call.
    yield* Effect.tapError(Effect.andThen(wait, breaker.pass), () => taken.cancel)
    return taken
  })

  return {
    pass: (turn, request) => Effect.flatMap(enter(turn), ({ end }) => Effect.ensuring(request, end)),
    breaker,
    pause,
  }
}

/** A hundred calls at once (API Pix's default page size), then ten a second. */
export const noticeBudget: BudgetRule = { max: 100, refillMs: 100 }
/** Fewer than a connection's sockets, to leave some for other calls. */
const maxNoticeCalls = 8

export const makeNoticeGate = (pace: Pace, budget = makeCallBudget(noticeBudget)): BankGate => {
  const { pass, breaker, pause } = makeBankGate(pace)
  const places = Semaphore.makeUnsafe(maxNoticeCalls)
  return {
    pass: (turn, request) => Effect.andThen(budget, places.withPermit(pass(turn, request))),
    breaker,
    pause,
  }
}

export interface BudgetRule {
  readonly max: number
  readonly refillMs: number
}

/** Each run takes one call, or fails with `PspUnanswered` if the budget is spent. */
export type CallBudget = Effect.Effect<void, PspUnanswered>

export const makeCallBudget = ({ max, refillMs }: BudgetRule): CallBudget => {
  let remaining = max
  let countedAt = 0
  return Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<void, PspUnanswered> => {
    remaining = Math.min(max, remaining + Math.max(0, now - countedAt) / refillMs)
    countedAt = now
    if (remaining < 1) return failNotSent("budgetSpent", Math.ceil((1 - remaining) * refillMs))
    remaining -= 1
    return Effect.void
  })
}

/** The longest pause (429) that calls wait for. */
export const maxPauseWaitMs = 2_000

export interface RateLimit {
  /** Fails with `PspUnanswered` after 2 s. */
  readonly wait: Effect.Effect<void, PspUnanswered>
  readonly pause: (ms: number) => Effect.Effect<void>
}

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

/** The time until the open circuit breaker lets a probe pass. */
export const openMs = 10_000

export const rule: BreakerRule = { failuresToOpen: 8, firstMs: openMs, maxMs: openMs }

export interface BankBreaker {
  readonly pass: Effect.Effect<void, PspUnanswered>
  readonly succeeded: Effect.Effect<void>
  readonly failed: Effect.Effect<void>
}

export const makeBankBreaker = (): BankBreaker => {
  let breaker = closedBreaker
  // A probe that never returns counts as ended at this time.
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
