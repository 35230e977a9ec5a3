import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { makeRecentMap, type RecentMap } from "./RecentMap.ts"
import { readMonotonicMs } from "./clock.ts"

/**
 * Starts an effect at once, within the same step as its caller, so that nobody can start it a second time in between.
 * Many may wait for its fiber: it continues when the fiber that started it ends, and ends with the scope if there is one.
 */
const startSharedRun = <A, E>(
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
 * A run continues when its callers have left, because others may join it, and ends with the scope. Nothing is remembered of a
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

/** What a cache loads, and how much of it is kept for how long. */
export interface CacheOptions<Key, A, E> {
  readonly load: (key: Key) => Effect.Effect<A, E>
  /** How old an answer may be, or how old this one may be. At 0 every question is loaded. */
  readonly maxAgeMs: number | ((answer: A) => number)
  /** At most this many keys, from 2: those least recently asked for go first. */
  readonly maxCount: number
  /** Ends what is still being loaded; without it, loading continues to its own end. */
  readonly scope?: Scope.Scope
}

/** An answer that is being loaded, and then there. */
interface Answer<A, E> {
  /** On the monotonic clock. */
  freshUntilMs: number
  /** Ends when the answer is loaded, and at once from then on. */
  loaded: Effect.Effect<A, E>
}

type Caller = Fiber.Fiber<unknown, unknown>

/**
 * Answers by key, each loaded once for all who ask, and never older than it may be.
 *
 * An answer's age counts from the moment at which it was asked for, on the monotonic clock: neither a moved
 * business time nor a slow load stretches it. Callers that ask meanwhile wait for the same load; a failure goes to those
 * who wait and is not remembered. The cache is bounded in the number of answers, in the age of answers that nobody asks for
 * any more, and in the length of its keys: the answer to a text of more than 2 048 characters is not remembered.
 *
 * Not Effect's `Cache`: that counts the age from the end of the load, on the business clock, and keeps a failure.
 */
export class Cache<Key, A, E> {
  readonly #options: CacheOptions<Key, A, E>
  readonly #maxAgeMs: number
  readonly #answers: RecentMap<Key, Answer<A, E>>
  /** Those under way. */
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

  /**
   * Loads the key's answer again, once for all who want that meanwhile. It takes the place of the one that is there when it
   * has been loaded; until then, and when it fails, that one stays.
   */
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
        // Another answer in that place was asked for later.
        if (Exit.isSuccess(exit) && this.#answers.get(key) === replaced) this.#answers.set(key, answer)
      })
      return answer.loaded
    })

  /** Forgets the key's answer if it is this very one; a newer one stays. */
  readonly forget = (key: Key, value: A): void => {
    const loaded = this.#answers.get(key)?.loaded
    if (Exit.isExit(loaded) && Exit.isSuccess(loaded) && loaded.value === value) this.#answers.delete(key)
  }

  /** Forgets every answer, those still being loaded too: the next caller loads again. */
  readonly clear = (): void => {
    this.#answers.clear()
    this.#renewals.clear()
  }

  /** Before it is loaded: loading may clear the cache at once. */
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
