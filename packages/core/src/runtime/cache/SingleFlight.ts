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

/** Runs one effect per key at a time. */
export type SingleFlight<A, E> = (key: string, meaning: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * Callers who mean the same under one key share one run and its failure; one who means something else waits for it to end.
 * A run goes on when its callers have left, for others may join it, and ends with the scope. Nothing is remembered of a
 * run that has ended: that is what `Cache` is for.
 */
export const makeSingleFlight = <A, E>(scope: Scope.Scope): SingleFlight<A, E> => {
  const flights = new Map<string, { readonly meaning: string; readonly run: Fiber.Fiber<A, E> }>()

  const join: SingleFlight<A, E> = (key, meaning, effect) =>
    Effect.withFiber((caller) => {
      const flying = flights.get(key)
      if (flying === undefined) {
        const run = startSharedRun(effect, caller, scope)
        flights.set(key, { meaning, run })
        run.addObserver(() => flights.delete(key))
        return Fiber.join(run)
      }
      if (flying.meaning === meaning) return Fiber.join(flying.run)
      return Effect.andThen(Fiber.await(flying.run), join(key, meaning, effect))
    })

  return join
}
