import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { afterAttempt, initialLimit } from "../../runtime/breaker.ts"
import { monotonicMs } from "../../runtime/clock.ts"

/** A run's places; their number follows the processor's answers (`afterAttempt`). */
export class RunPace {
  #limit = initialLimit
  #taken = 0
  /** Monotonic milliseconds. */
  #pausedUntil = 0
  readonly #places = Semaphore.makeUnsafe(initialLimit.atOnce)

  /** Takes a place, and waits for the end of a pause. */
  readonly enter: Effect.Effect<void> = Effect.suspend(() =>
    Effect.andThen(
      this.#places.take(1),
      Effect.suspend(() => {
        this.#taken++
        return this.#waitForPause()
      }),
    ),
  )

  readonly leave: Effect.Effect<unknown> = Effect.suspend(() => {
    this.#taken--
    return this.#places.release(1)
  })

  /** Expects a taken place. */
  learn(attempt: { readonly hasFailed: boolean; readonly latencyMs: number }): Effect.Effect<void> {
    const isFull = this.#taken >= Math.floor(this.#limit.atOnce)
    this.#limit = afterAttempt(this.#limit, { ...attempt, isFull })
    return this.#places.resize(Math.floor(this.#limit.atOnce))
  }

  pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until)
  }

  #waitForPause(): Effect.Effect<void> {
    return Effect.flatMap(monotonicMs, (now) =>
      now < this.#pausedUntil
        ? Effect.flatMap(Effect.sleep(this.#pausedUntil - now), () => this.#waitForPause())
        : Effect.void,
    )
  }
}
