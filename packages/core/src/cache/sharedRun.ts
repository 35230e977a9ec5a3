import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

/**
 * Starts an effect at once, within the same step as its caller, so that nobody can start it a second time in between.
 * Many may wait for its fiber: it goes on when the fiber that started it ends, and ends with the scope if there is one.
 */
export const startSharedRun = <A, E>(
  effect: Effect.Effect<A, E>,
  starter: Fiber.Fiber<unknown, unknown>,
  scope: Scope.Scope | undefined,
): Fiber.Fiber<A, E> => {
  const run = Effect.runForkWith(starter.context)(effect)
  return scope === undefined ? run : Fiber.runIn(run, scope)
}
