import { afterFailure, type BreakerRule, closedBreaker } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { failNotSent, type PspUnanswered } from "../connection/Transport.ts"
import type { Pace, Turn } from "./Pace.ts"

/** What decides whether a bank may be called now, and learns from how each call ends. */
export interface BankGate {
  /** Sends a request when its turn has come, or fails with `PspUnanswered` without sending it. */
  readonly pass: <A, E>(turn: Turn, request: Effect.Effect<A, E>) => Effect.Effect<A, E | PspUnanswered>
  readonly breaker: Pick<BankBreaker, "succeeded" | "failed">
  readonly pause: RateLimit["pause"]
}

/** A gate that keeps the bank's pace and the pauses that it asks for, and leaves a failing bank alone. */
export const makeBankGate = (pace: Pace): BankGate => {
  const breaker = makeBankBreaker()
  const { wait, pause } = makeRateLimit()

  const enter = Effect.fnUntraced(function* (turn: Turn) {
    yield* wait
    const taken = yield* pace.take(turn)
    // Another call may have been asked to pause meanwhile.
    yield* Effect.tapError(Effect.andThen(wait, breaker.pass), () => taken.cancel)
    return taken
  })

  return {
    pass: (turn, request) => Effect.flatMap(enter(turn), ({ end }) => Effect.ensuring(request, end)),
    breaker,
    pause,
  }
}

/**
 * A hundred payments at once, as a page of API Pix has by default, then ten a second. A company that receives more gets the
 * rest when its bank calls again, or from the reconciler.
 */
export const noticeBudget: BudgetRule = { max: 100, refillMs: 100 }
/** Fewer than the sockets of a connection, so that some are always left for other calls. */
const maxNoticeCalls = 8

/** The gate of the calls that notices cause: a budget, and a breaker and pauses that no other call learns of. */
export const makeNoticeGate = (pace: Pace, budget = makeCallBudget(noticeBudget)): BankGate => {
  const { pass, breaker, pause } = makeBankGate(pace)
  const places = Semaphore.makeUnsafe(maxNoticeCalls)
  return {
    pass: (turn, request) => Effect.andThen(budget, places.withPermit(pass(turn, request))),
    breaker,
    pause,
  }
}

/** How many calls may be made: `max` at once after a rest, and one more each `refillMs`. */
export interface BudgetRule {
  readonly max: number
  readonly refillMs: number
}

/** Each run takes a call, or fails with `PspUnanswered` when none is left. */
export type CallBudget = Effect.Effect<void, PspUnanswered>

export const makeCallBudget = ({ max, refillMs }: BudgetRule): CallBudget => {
  let left = max
  let countedAt = 0
  return Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<void, PspUnanswered> => {
    left = Math.min(max, left + Math.max(0, now - countedAt) / refillMs)
    countedAt = now
    if (left < 1) return failNotSent("budgetSpent", Math.ceil((1 - left) * refillMs))
    left -= 1
    return Effect.void
  })
}

/** A pause that the bank asks for (429) is waited out up to this long; during a longer one calls fail. */
export const maxPauseWaitMs = 2_000

/** Keeps the pauses that a bank asks for. */
export interface RateLimit {
  /** Waits until the bank may be called; fails with `PspUnanswered` if that takes longer than 2 s. */
  readonly wait: Effect.Effect<void, PspUnanswered>
  /** The bank asks for a pause; a longer one that has begun continues. */
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
