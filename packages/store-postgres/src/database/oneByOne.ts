import type { Call, SendCalls } from "./Call.ts"
import { isOutOfReach } from "./retry.ts"
import { SqlFailure } from "./SqlFailure.ts"

/** How long after its arrival a call on a row that another session has locked is given up. */
const maxMs = 2_000
/** A call that only shared a statement with a blocked one has at least this long for a statement of its own. */
const ownMs = 500
/** The first statement for a call alone hardly waits for a lock, so that calls which nobody blocks go on at once. */
const firstTimeoutMs = 5
/** The longest that a blocked call waits for its lock before the next one has its turn. */
const turnMs = 500
/** Statements for single calls under way at once, and how many of them may wait for a lock: others need the pool, too. */
const maxAtOnce = 4
const maxWaiting = 2

/** A call that is carried out by itself. */
interface Held<A, B> {
  readonly call: Call<A, B>
  /** When it is given up, on the steady clock; infinite until it was found to be blocked. */
  until: number
  timer: NodeJS.Timeout | undefined
  failure: SqlFailure
}

const firstIn = <A>(items: Iterable<A>): A | undefined => {
  for (const item of items) return item
  return undefined
}

/**
 * Carries calls out one by one, those that nobody blocks first. Blocked ones take turns at waiting, for there may be more
 * of them than connections, and each is given up in time, whether its turn has come or not. Once the database is out of
 * reach, those that were not sent yet fail together: one after the other they would wait for minutes.
 */
export const makeOneByOne = <A, B>(send: SendCalls<A, B>) => {
  const untried = new Set<Held<A, B>>()
  const blocked = new Set<Held<A, B>>()
  let working = 0
  let waiting = 0

  /** One that is just being sent is left to its statement, which ends at about the same time. */
  const giveUp = (held: Held<A, B>): void => {
    if (untried.delete(held) || blocked.delete(held)) held.call.fail(held.failure)
  }

  const limitTime = (held: Held<A, B>, failure: SqlFailure): void => {
    held.failure = failure
    if (held.timer !== undefined) return
    const now = performance.now()
    held.until = Math.max(held.call.arrivedAt + maxMs, now + ownMs)
    held.timer = setTimeout(() => giveUp(held), held.until - now)
  }

  const failUntried = (failure: SqlFailure): void => {
    for (const { call, timer } of untried) {
      clearTimeout(timer)
      call.fail(failure)
    }
    untried.clear()
  }

  const attempt = async (held: Held<A, B>, lockTimeoutMs: number): Promise<void> => {
    try {
      await send([held.call], `${Math.ceil(lockTimeoutMs)}ms`)
    } catch (cause) {
      if (cause instanceof SqlFailure && cause.kind === "blocked") {
        limitTime(held, cause)
        if (performance.now() < held.until) return void blocked.add(held)
      }
      held.call.fail(cause)
      if (cause instanceof SqlFailure && isOutOfReach(cause)) failUntried(cause)
    }
    clearTimeout(held.timer)
  }

  /** A turn is shorter the more calls there are to wait. */
  const waitInTurn = async (held: Held<A, B>): Promise<void> => {
    blocked.delete(held)
    waiting++
    const turn = Math.max(firstTimeoutMs, Math.min(turnMs, (turnMs * maxWaiting) / (blocked.size + waiting)))
    await attempt(held, Math.max(1, Math.min(turn, held.until - performance.now())))
    waiting--
  }

  const work = async (): Promise<void> => {
    working++
    for (;;) {
      const next = firstIn(untried)
      const stuck = next === undefined && waiting < maxWaiting ? firstIn(blocked) : undefined
      if (next !== undefined) {
        untried.delete(next)
        await attempt(next, firstTimeoutMs)
      } else if (stuck !== undefined) await waitInTurn(stuck)
      else break
    }
    working--
  }

  return (calls: ReadonlyArray<Call<A, B>>, failure: SqlFailure): void => {
    for (const call of calls) {
      const held: Held<A, B> = { call, until: Number.POSITIVE_INFINITY, timer: undefined, failure }
      untried.add(held)
      if (failure.kind === "blocked") limitTime(held, failure)
    }
    for (let free = maxAtOnce - working; free > 0; free--) void work()
  }
}
