import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { makeRecentMap, type RecentMap } from "./RecentMap.ts"
import { readMonotonicMs } from "./clock.ts"

/**
 * Starts synchronously, so no second start can come in between. The fiber outlives its starter, and ends with the scope, if any.
 */
const startSharedRun = <A, E>(
  effect: Effect.Effect<A, E>,
  starter: Fiber.Fiber<unknown, unknown>,
  scope: Scope.Scope | undefined,
): Fiber.Fiber<A, E> => {
  const run = Effect.runForkWith(starter.context)(effect)
  return scope === undefined ? run : Fiber.runIn(run, scope)
}

export type SingleFlight<A, E> = (key: string, meaning: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * Callers with the same key and meaning share one run and its failure. A caller with another meaning waits for the run to end. A
 * run continues without callers, and ends with the scope. Results aren't kept.
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

export interface CacheOptions<Key, A, E> {
  readonly load: (key: Key) => Effect.Effect<A, E>
  /** Maximum age of all answers, or of the given answer. At 0, every call loads. */
  readonly maxAgeMs: number | ((answer: A) => number)
  /** Maximum number of keys, from 2. */
  readonly maxCount: number
  /** Its end interrupts loads under way. Without a scope, they run to their end. */
  readonly scope?: Scope.Scope
}

interface Answer<A, E> {
  /** Milliseconds of the monotonic clock. */
  freshUntilMs: number
  loaded: Effect.Effect<A, E>
}

type Caller = Fiber.Fiber<unknown, unknown>

/**
 * Answers by key, loaded once for all callers, and never older than `maxAgeMs`.
 *
 * An answer's age counts from its request, on the monotonic clock. Callers share a load and its failure; failures aren't kept.
 */
export class Cache<Key, A, E> {
  readonly #options: CacheOptions<Key, A, E>
  readonly #maxAgeMs: number
  readonly #answers: RecentMap<Key, Answer<A, E>>
  readonly #renewals: RecentMap<Key, Answer<A, E>>

  constructor(options: CacheOptions<Key, A, E>) {
    this.#options = options
    this.#maxAgeMs = typeof options.maxAgeMs === "number" ? options.maxAgeMs : Infinity
    this.#answers = makeRecentMap(options.maxCount)
    this.#renewals = makeRecentMap(options.maxCount)
  }

  readonly get = (key: Key): Effect.Effect<A, E> =>
    Effect.withFiber((caller) => {
      const nowMs = readMonotonicMs(caller.getRef(Clock.Clock))
      const known = this.#answers.get(key)
      if (known !== undefined && nowMs < known.freshUntilMs) return known.loaded
      const answer = this.#add(this.#answers, key, nowMs)
      this.#load(key, answer, caller).addObserver((exit) => {
        if (Exit.isFailure(exit) && this.#answers.get(key) === answer) this.#answers.delete(key)
      })
      return answer.loaded
    })

  /** The old answer stays until the load succeeds. */
  readonly renew = (key: Key): Effect.Effect<A, E> =>
    Effect.withFiber((caller) => {
      const nowMs = readMonotonicMs(caller.getRef(Clock.Clock))
      const underWay = this.#renewals.get(key)
      if (underWay !== undefined && nowMs < underWay.freshUntilMs) return underWay.loaded
      const replaced = this.#answers.get(key)
      const answer = this.#add(this.#renewals, key, nowMs)
      this.#load(key, answer, caller).addObserver((exit) => {
        if (this.#renewals.get(key) !== answer) return
        this.#renewals.delete(key)
        // Keeps an answer that was requested later.
        if (Exit.isSuccess(exit) && this.#answers.get(key) === replaced) this.#answers.set(key, answer)
      })
      return answer.loaded
    })

  /** Forgets the answer if it is still this value. */
  readonly forget = (key: Key, value: A): void => {
    const loaded = this.#answers.get(key)?.loaded
    if (Exit.isExit(loaded) && Exit.isSuccess(loaded) && loaded.value === value) this.#answers.delete(key)
  }

  /** Forgets all answers, even those still loading. */
  readonly clear = (): void => {
    this.#answers.clear()
    this.#renewals.clear()
  }

  /** Adds the answer before its load, which can clear the cache immediately. */
  #add(to: RecentMap<Key, Answer<A, E>>, key: Key, nowMs: number): Answer<A, E> {
    this.#answers.sweepEach(this.#maxAgeMs, nowMs)
    const answer: Answer<A, E> = { freshUntilMs: nowMs + this.#maxAgeMs, loaded: Effect.never }
    to.set(key, answer)
    return answer
  }

  #load(key: Key, answer: Answer<A, E>, caller: Caller): Fiber.Fiber<A, E> {
    const { load, maxAgeMs, scope } = this.#options
    const nowMs = readMonotonicMs(caller.getRef(Clock.Clock))
    const run = startSharedRun(
      Effect.suspend(() => load(key)),
      caller,
      scope,
    )
    answer.loaded = Fiber.join(run)
    run.addObserver((exit) => {
      if (Exit.isFailure(exit)) return
      answer.loaded = exit
      if (typeof maxAgeMs === "function") answer.freshUntilMs = nowMs + maxAgeMs(exit.value)
    })
    return run
  }
}
