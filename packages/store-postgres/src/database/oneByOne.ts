import { StoreUnavailable } from "@pixcharge/core"
import * as Exit from "effect/Exit"
import type { Call } from "./groupCommit.ts"
import { failureOf, type SqlFailure } from "./SqlFailure.ts"

/** Carries calls out in one statement that waits for no lock longer than `patience`; answers each, or rejects for all. */
export type Together<A, B> = (calls: ReadonlyArray<Call<A, B>>, patience: string) => Promise<void>

/** How long after its arrival a call on a row that somebody else has locked is given up. */
const longestMs = 2_000
/** A call that only shared a statement with a blocked one has at least so long for a statement of its own. */
const ownMs = 500
/** A call by itself first hardly waits, so that those which nobody blocks go on at once. */
const probeMs = 5
/** The longest that a blocked call waits before the next one has its turn. */
const turnMs = 500
/** Statements for single calls under way at once, and among them those that wait; the host's pool has others to do. */
const mostAtOnce = 4
const mostWaiting = 2

/** A call that is carried out by itself. */
interface Held<A, B> {
  readonly call: Call<A, B>
  /** When it is given up, on the steady clock; not before it was found to be blocked. */
  until: number
  timer: NodeJS.Timeout | undefined
  failure: SqlFailure
}

const firstOf = <A>(items: Iterable<A>): A | undefined => {
  for (const item of items) return item
  return undefined
}

/** Tells a call that it failed. */
export const tell = <A, B>(operation: string, call: Call<A, B>, cause: SqlFailure): void =>
  call.answer(Exit.fail(new StoreUnavailable({ operation, cause })))

/**
 * Carries calls out one by one, those that nobody blocks first. Blocked ones take turns at waiting, for there may be more
 * of them than connections, and each is given up in time, whether its turn has come or not.
 */
export const makeOneByOne = <A, B>(operation: string, together: Together<A, B>) => {
  const untried = new Set<Held<A, B>>()
  const blocked = new Set<Held<A, B>>()
  let working = 0
  let waiting = 0

  const giveUp = (held: Held<A, B>): void => {
    const isUnderWay = !untried.delete(held) && !blocked.delete(held)
    if (!isUnderWay) tell(operation, held.call, held.failure)
  }

  const block = (held: Held<A, B>, failure: SqlFailure): void => {
    held.failure = failure
    if (held.timer !== undefined) return
    const now = performance.now()
    held.until = Math.max(held.call.arrivedAt + longestMs, now + ownMs)
    held.timer = setTimeout(() => giveUp(held), held.until - now)
  }

  const attempt = async (held: Held<A, B>, patienceMs: number): Promise<void> => {
    try {
      await together([held.call], `${Math.ceil(patienceMs)}ms`)
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === "blocked") {
        block(held, failure)
        if (performance.now() < held.until) return void blocked.add(held)
      }
      tell(operation, held.call, failure)
    }
    clearTimeout(held.timer)
  }

  /** A turn is shorter the more calls there are to wait. */
  const waitInTurn = async (held: Held<A, B>): Promise<void> => {
    blocked.delete(held)
    waiting++
    const turn = Math.max(probeMs, Math.min(turnMs, (turnMs * mostWaiting) / (blocked.size + waiting)))
    await attempt(held, Math.max(1, Math.min(turn, held.until - performance.now())))
    waiting--
  }

  const work = async (): Promise<void> => {
    working++
    for (;;) {
      const next = firstOf(untried)
      const stuck = next === undefined && waiting < mostWaiting ? firstOf(blocked) : undefined
      if (next !== undefined) {
        untried.delete(next)
        await attempt(next, probeMs)
      } else if (stuck !== undefined) await waitInTurn(stuck)
      else break
    }
    working--
  }

  return (calls: ReadonlyArray<Call<A, B>>, failure: SqlFailure): void => {
    for (const call of calls) {
      const held: Held<A, B> = { call, until: Number.POSITIVE_INFINITY, timer: undefined, failure }
      untried.add(held)
      if (failure.kind === "blocked") block(held, failure)
    }
    for (let free = mostAtOnce - working; free > 0; free--) void work()
  }
}
