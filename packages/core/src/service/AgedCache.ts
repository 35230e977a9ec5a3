import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** Answers that are never older than they may be. */
export interface AgedCache<Key, A, E> {
  readonly get: (key: Key) => Effect.Effect<A, E>
  /** Forgets every answer, those still being read too: whoever asks next reads anew. */
  readonly clear: () => void
}

export interface AgedCacheOptions<Key, A, E> {
  readonly load: (key: Key) => Effect.Effect<A, E>
  /** 0 to 60 000. At 0 every question is read. */
  readonly maxAgeMs: number
  /** Beyond so many answers the oldest go. */
  readonly capacity: number
}

interface Answer<A, E> {
  /** Nanoseconds of the steady clock. */
  readonly askedAt: bigint
  /** Ends when the answer is read, and at once from then on. */
  read: Effect.Effect<A, E>
}

const longestAgeMs = 60_000

/**
 * A cache whose answers count their age from the moment at which they were asked for, on the steady clock: no moved
 * business time and no slow reading stretches it. Whoever asks meanwhile waits for the same reading; a failure is told to
 * those who wait and remembered for nobody. Throws a RangeError for an age outside its bounds.
 */
export const makeAgedCache = <Key, A, E>({
  load,
  maxAgeMs,
  capacity,
}: AgedCacheOptions<Key, A, E>): AgedCache<Key, A, E> => {
  if (!(maxAgeMs >= 0 && maxAgeMs <= longestAgeMs)) {
    throw new RangeError(`answers may be 0 to ${longestAgeMs} ms old, not ${maxAgeMs}`)
  }
  const maxAge = BigInt(Math.floor(maxAgeMs)) * 1_000_000n
  const answers = new Map<Key, Answer<A, E>>()

  const remember = (key: Key, answer: Answer<A, E>): void => {
    // Deleted first, so that the map's order is that of asking.
    answers.delete(key)
    answers.set(key, answer)
    if (answers.size <= capacity) return
    const [oldest] = answers.keys()
    if (oldest !== undefined) answers.delete(oldest)
  }

  const ask = (key: Key, askedAt: bigint): Effect.Effect<A, E> => {
    const told = Deferred.makeUnsafe<A, E>()
    const answer: Answer<A, E> = { askedAt, read: Deferred.await(told) }
    remember(key, answer)
    const reading = Effect.onExit(
      Effect.suspend(() => load(key)),
      (exit) =>
        Effect.sync(() => {
          if (Exit.isSuccess(exit)) answer.read = exit
          else if (answers.get(key) === answer) answers.delete(key)
          Deferred.doneUnsafe(told, exit)
        }),
    )
    // Detached: others wait for it too, so that the end of the first caller must not be its end.
    return Effect.andThen(Effect.forkDetach(reading, { startImmediately: true }), answer.read)
  }

  return {
    get: (key) =>
      Effect.clockWith((clock) => {
        const now = clock.monotonicTimeNanosUnsafe()
        const known = answers.get(key)
        return known !== undefined && now - known.askedAt < maxAge ? known.read : ask(key, now)
      }),
    clear: () => answers.clear(),
  }
}
