import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

interface Flight<A, E> {
  readonly meaning: string
  readonly landing: Deferred.Deferred<A, E>
}

/** Runs one effect per key at a time. */
export type SingleFlight<A, E> = (key: string, meaning: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * Callers who mean the same under one key share one run; one who means something else waits for it to end. A run goes on
 * when its callers have left, for others may join it, and ends with the Scope.
 */
export const makeSingleFlight = <A, E>(scope: Scope.Scope): SingleFlight<A, E> => {
  const flights = new Map<string, Flight<A, E>>()

  const take = (key: string, meaning: string, effect: Effect.Effect<A, E>) =>
    Effect.uninterruptibleMask((restore) => {
      const landing = Deferred.makeUnsafe<A, E>()
      flights.set(key, { meaning, landing })
      const run = Effect.onExit(Effect.interruptible(effect), (exit) => {
        flights.delete(key)
        return Deferred.done(landing, exit)
      })
      return Effect.andThen(Effect.forkIn(run, scope), restore(Deferred.await(landing)))
    })

  const join: SingleFlight<A, E> = (key, meaning, effect) =>
    Effect.suspend(() => {
      const flying = flights.get(key)
      if (flying === undefined) return take(key, meaning, effect)
      const landed = Deferred.await(flying.landing)
      if (flying.meaning === meaning) return landed
      return Effect.andThen(Effect.exit(landed), join(key, meaning, effect))
    })

  return join
}
