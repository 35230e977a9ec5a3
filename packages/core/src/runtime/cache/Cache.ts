import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { makeRecentMap, type RecentMap } from "./RecentMap.ts"
import { startSharedRun } from "./SingleFlight.ts"

/** Answers by key, each loaded once for all who ask, and never older than it may be. */
export interface Cache<Key, A, E> {
  readonly get: (key: Key) => Effect.Effect<A, E>
  /**
   * Loads the key's answer anew, once for all who want that meanwhile. It takes the place of the one that is there when it
   * has been loaded; until then, and when it fails, that one stays.
   */
  readonly renew: (key: Key) => Effect.Effect<A, E>
  /** Forgets the key's answer if it is this very one; a newer one stays. */
  readonly forget: (key: Key, answer: A) => void
  /** Forgets every answer, those still being loaded too: whoever asks next loads anew. */
  readonly clear: () => void
}

/** What a cache loads, and how much of it is kept for how long. */
export interface CacheOptions<Key, A, E> {
  readonly load: (key: Key) => Effect.Effect<A, E>
  /** How old an answer may be, or how old this one may be. At 0 every question is loaded. */
  readonly maxAgeMs: number | ((answer: A) => number)
  /** At most so many keys, from 2: those least recently asked for go first. */
  readonly maxCount: number
  /** Ends what is still being loaded; without it, loading goes on to its own end. */
  readonly scope?: Scope.Scope
}

interface Answer<A, E> {
  /** On the steady clock. */
  freshUntilMs: number
  /** Ends when the answer is loaded, and at once from then on. */
  loaded: Effect.Effect<A, E>
}

/**
 * An empty cache. An answer's age counts from the moment at which it was asked for, on the steady clock: neither a moved
 * business time nor a slow load stretches it. Whoever asks meanwhile waits for the same load; a failure goes to those
 * who wait and is not remembered. It is bounded by count, by age for what nobody asks for any more, and in the length of
 * its keys: the answer to a text of more than 2 048 characters is not remembered.
 *
 * Not Effect's `Cache`: that counts the age from the end of the load, on the business clock, and keeps a failure.
 */
export const makeCache = <Key, A, E>({
  load,
  maxAgeMs,
  maxCount,
  scope,
}: CacheOptions<Key, A, E>): Cache<Key, A, E> => {
  const answers = makeRecentMap<Key, Answer<A, E>>(maxCount)
  /** Under way alone. */
  const renewals = makeRecentMap<Key, Answer<A, E>>(maxCount)
  const longestMs = typeof maxAgeMs === "number" ? maxAgeMs : Infinity

  /** Loads into a map; `ended` hears of it unless the map has forgotten it or has a newer one. */
  const start = (
    into: RecentMap<Key, Answer<A, E>>,
    key: Key,
    nowMs: number,
    caller: Fiber.Fiber<unknown, unknown>,
    ended: (answer: Answer<A, E>, exit: Exit.Exit<A, E>) => void,
  ): Effect.Effect<A, E> => {
    answers.sweepEach(longestMs, nowMs)
    const answer: Answer<A, E> = { freshUntilMs: nowMs + longestMs, loaded: Effect.never }
    into.set(key, answer)
    const run = startSharedRun(
      Effect.suspend(() => load(key)),
      caller,
      scope,
    )
    answer.loaded = Fiber.join(run)
    run.addObserver((exit) => {
      if (Exit.isSuccess(exit)) {
        answer.loaded = exit
        if (typeof maxAgeMs === "function") answer.freshUntilMs = nowMs + maxAgeMs(exit.value)
      }
      if (into.get(key) === answer) ended(answer, exit)
    })
    return answer.loaded
  }

  const ask = (key: Key, nowMs: number, caller: Fiber.Fiber<unknown, unknown>) =>
    start(answers, key, nowMs, caller, (_, exit) => {
      if (Exit.isFailure(exit)) answers.delete(key)
    })

  const renew = (key: Key, nowMs: number, caller: Fiber.Fiber<unknown, unknown>) => {
    const known = answers.get(key)
    return start(renewals, key, nowMs, caller, (answer, exit) => {
      renewals.delete(key)
      // Whatever came in its place meanwhile was asked for later.
      if (Exit.isSuccess(exit) && answers.get(key) === known) answers.set(key, answer)
    })
  }

  /** What is there, or under way, for whoever asks now; else it is loaded. */
  const freshOr =
    (from: RecentMap<Key, Answer<A, E>>, otherwise: typeof ask) =>
    (key: Key): Effect.Effect<A, E> =>
      Effect.withFiber((caller) => {
        const nowMs = steadyMs(caller)
        const known = from.get(key)
        return known !== undefined && nowMs < known.freshUntilMs ? known.loaded : otherwise(key, nowMs, caller)
      })

  const steadyMs = (caller: Fiber.Fiber<unknown, unknown>): number =>
    Number(caller.getRef(Clock.Clock).monotonicTimeNanosUnsafe()) / 1_000_000

  return {
    get: freshOr(answers, ask),
    renew: freshOr(renewals, renew),
    forget: (key, value) => {
      const loaded = answers.get(key)?.loaded
      if (Exit.isExit(loaded) && Exit.isSuccess(loaded) && loaded.value === value) answers.delete(key)
    },
    clear: () => {
      answers.clear()
      renewals.clear()
    },
  }
}
