import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { type BankBreaker, makeBankBreaker } from "./bankBreaker.ts"
import { type BudgetRule, makeCallBudget } from "./CallBudget.ts"
import type { Pace, Turn } from "./Pace.ts"
import type { PspUnanswered } from "./PspUnanswered.ts"
import { makeRateLimit, type RateLimit } from "./RateLimit.ts"

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
