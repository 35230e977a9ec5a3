import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import type { ChargeId } from "../../model/charge/ChargeId.ts"
import {
  isOfCredentials,
  type ProcessorRejected,
  type ProcessorUnavailable,
  type StoreUnavailable,
} from "../../ports/portErrors.ts"
import { nextDelayMs } from "../../runtime/breaker.ts"
import { monotonicMs } from "../../runtime/clock.ts"
import { hasTag } from "../../runtime/error.ts"
import { RunPace } from "./RunPace.ts"

const maxTryMs = 180_000
const backOff = { firstMs: 1_000, maxMs: 30_000 }

/** The attempts of all runs. An interruption would leave a charge at the bank alone. */
export type Attempts = FiberSet.FiberSet<unknown, unknown>

export type Unanswered = "unanswered"
export const unanswered: Unanswered = "unanswered"

const isTemporary = (error: unknown): boolean =>
  hasTag<ProcessorUnavailable>(error, "ProcessorUnavailable") ||
  hasTag(error, "DirectoryUnavailable") ||
  (hasTag<StoreUnavailable>(error, "StoreUnavailable") && error.isRefused !== true)

/** Each further request would be refused, too. */
const endsRun = (error: unknown): boolean =>
  hasTag(error, "CompanyNotFound") ||
  hasTag(error, "IssuerNotEligible") ||
  (hasTag<ProcessorRejected>(error, "ProcessorRejected") && isOfCredentials(error))

const requestedWaitMs = (error: unknown): number =>
  hasTag<ProcessorUnavailable>(error, "ProcessorUnavailable") ? (error.retryAfterMs ?? 0) : 0

/** A run of `issueMany`. */
export class IssueRun<End> {
  readonly #attempts: Attempts
  readonly #pace = new RunPace()
  readonly #end = Deferred.makeUnsafe<never, End>()
  readonly #underWay = new Map<ChargeId, Latch.Latch>()
  #answered = 0

  constructor(attempts: Attempts) {
    this.#attempts = attempts
  }

  /** Fails when the run ends early. */
  readonly end: Effect.Effect<never, End> = Effect.suspend(() => Deferred.await(this.#end))

  /** Fails if the run has ended early. */
  readonly endedEarly: Effect.Effect<void, End> = Effect.suspend(() =>
    Deferred.isDoneUnsafe(this.#end) ? Deferred.await(this.#end) : Effect.void,
  )

  /** Begins no more attempts. Those under way end, and their results follow. */
  endWith(cause: Cause.Cause<End>): Effect.Effect<unknown> {
    return Deferred.failCause(this.#end, cause)
  }

  readonly enter: Effect.Effect<void, End> = Effect.suspend(() => Effect.raceFirst(this.#pace.enter, this.end))

  /** For a request that has a place. Fails with `unanswered` if the run ends before. */
  answer<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.ensuring(
      Effect.tap(work, () => Effect.sync(() => void this.#answered++)),
      this.#pace.leave,
    )
  }

  /**
   * Tries for three minutes while the error is temporary. Then the error is the result if others were answered since the previous
   * attempt; otherwise it ends the run. `isPaced`: the answer shows the processor's pace.
   */
  attempt<A, E extends End>(
    call: Effect.Effect<A, E>,
    isPaced: (answer: A) => boolean,
  ): Effect.Effect<A, E | Unanswered> {
    return Effect.gen({ self: this }, function* () {
      const until = (yield* monotonicMs) + maxTryMs
      let answered = this.#answered
      for (let waitMs = 0; ;) {
        const begunAt = yield* monotonicMs
        const exit = yield* this.#finish(call)
        const endedAt = yield* monotonicMs
        const latencyMs = endedAt - begunAt
        if (Exit.isSuccess(exit)) {
          if (isPaced(exit.value)) yield* this.#pace.learn({ hasFailed: false, latencyMs })
          return exit.value
        }
        const error = Option.getOrUndefined(Exit.findErrorOption(exit))
        if (error !== undefined && !isTemporary(error) && !endsRun(error)) return yield* exit
        const requestedMs = requestedWaitMs(error)
        waitMs = Math.max(nextDelayMs(backOff, waitMs), requestedMs)
        const isOver = endedAt + waitMs > until
        if (isTemporary(error) && isOver && this.#answered > answered) return yield* exit
        if (!isTemporary(error) || isOver) {
          yield* this.endWith(exit.cause)
          return yield* Effect.fail(unanswered)
        }
        answered = this.#answered
        if (requestedMs > 0) this.#pace.pause(endedAt + requestedMs)
        yield* this.#pace.learn({ hasFailed: true, latencyMs })
        yield* this.#pace.leave
        yield* this.#untilEnd(Effect.andThen(Effect.sleep(waitMs), this.#pace.enter))
      }
    })
  }

  /** Issues requests with the same id in the order of the source. */
  inTurn<A, E>(id: ChargeId, work: Effect.Effect<A, E>): Effect.Effect<A, E | Unanswered> {
    return Effect.gen({ self: this }, function* () {
      for (let earlier = this.#underWay.get(id); earlier !== undefined; earlier = this.#underWay.get(id)) {
        // The earlier request can need the place.
        yield* this.#pace.leave
        yield* this.#untilEnd(Effect.andThen(earlier.await, this.#pace.enter))
      }
      const turn = Latch.makeUnsafe(false)
      this.#underWay.set(id, turn)
      return yield* Effect.ensuring(work, this.#endTurn(id, turn))
    })
  }

  #endTurn(id: ChargeId, turn: Latch.Latch): Effect.Effect<unknown> {
    return Effect.suspend(() => {
      this.#underWay.delete(id)
      return turn.open
    })
  }

  #untilEnd(wait: Effect.Effect<unknown>): Effect.Effect<unknown, Unanswered> {
    return Effect.raceFirst(
      wait,
      Effect.catchCause(this.end, () => Effect.fail(unanswered)),
    )
  }

  /** An interrupted run waits for the call, which its own time-outs end. */
  #finish<A, E>(call: Effect.Effect<A, E>): Effect.Effect<Exit.Exit<A, E>> {
    return Effect.uninterruptible(Effect.flatMap(FiberSet.run(this.#attempts, call), Fiber.await))
  }
}
