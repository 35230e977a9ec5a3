import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { it as vitestIt } from "vitest"

/** A test whose body is an Effect. Its Scope is closed when it ends. */
export type EffectTest<R = never> = <A, E>(
  title: string,
  body: () => Effect.Effect<A, E, R | Scope.Scope>,
  timeoutMs?: number,
) => void

export interface EffectIt<R = never> {
  /** Runs on Effect's TestClock, frozen at 0 until the test moves it. */
  readonly effect: EffectTest<R>
  /** Runs on the real clock. */
  readonly live: EffectTest<R>
}

/** Tests with these services, built for each test. */
export const itWith = <R, E>(layer: Layer.Layer<R, E>): EffectIt<R> => ({
  effect: (title, body, timeoutMs) =>
    vitestIt(
      title,
      () =>
        Effect.runPromise(
          Effect.scoped(Effect.suspend(body)).pipe(
            Effect.provide(Layer.provideMerge(Layer.fresh(layer), TestClock.layer())),
          ),
        ),
      timeoutMs,
    ),
  live: (title, body, timeoutMs) =>
    vitestIt(
      title,
      () => Effect.runPromise(Effect.scoped(Effect.suspend(body)).pipe(Effect.provide(Layer.fresh(layer)))),
      timeoutMs,
    ),
})

/** Vitest's `it` for tests that are Effects. */
export const it: EffectIt = itWith(Layer.empty)
