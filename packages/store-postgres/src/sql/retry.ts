import { delayMsAfter } from "@pixcharge/core/internal"
import { SqlFailure, sqlFailure } from "./SqlFailure.ts"

// What is sent again after a failure: the statement as it is, each call of a batch by itself, or nothing.

/** Whether the same statement is sent again; after a lost answer only one that changes nothing the second time is. */
const isSentAgain = ({ kind }: SqlFailure, repeatable: boolean): boolean =>
  kind === "unsent" || kind === "undone" || kind === "unnamed" || (kind === "lost" && repeatable)

/** Whether calls that shared a statement are sent again one by one: a single row has failed it, and not its neighbours. */
export const isSentOneByOne = ({ kind }: SqlFailure, calls: number): boolean =>
  kind === "blocked" || (kind === "badValue" && calls > 1)

/** Whether the rest of a batch isn't sent at all: the database is out of reach, and each statement would wait as long. */
export const isOutOfReach = ({ kind }: SqlFailure): boolean => kind === "lost" || kind === "unsent"

/**
 * The failure of a statement of which an earlier sending was lost. However the last one failed, the earlier one may have been carried
 * out, so nobody may go on as if nothing had been.
 */
export const afterLost = (failure: SqlFailure): SqlFailure => {
  const { sqlState, message } = failure
  return failure.kind === "unreplicated" ? failure : new SqlFailure({ kind: "lost", sqlState, message })
}

/** Most statements that the database took back succeed when they are sent for the second or third time. */
const maxSendings = 6
const backOff = { firstMs: 20, maxMs: 320 }

// Real timers, not Effect's Clock: a test that moves the clock by days must not time a statement out.
const wait = (ms: number) => new Promise<void>((resume) => void setTimeout(resume, ms))

/** How a statement is sent again. */
interface Sendings {
  readonly repeatable: boolean
  /** For how long, in milliseconds. */
  readonly forMs: number
  /** An earlier sending was lost before the first of these. */
  readonly isRepeated: boolean
  /** Aborted once nobody waits for the answer. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a statement again while that is safe. `repeated` says that an earlier sending may have been carried out. Rejects with
 * the last `SqlFailure`, which is `lost` if an earlier one was.
 */
export const retry = async <A>(
  send: () => Promise<A>,
  { repeatable, forMs, isRepeated, signal }: Sendings,
): Promise<{ readonly answer: A; readonly repeated: boolean }> => {
  const until = performance.now() + forMs
  let repeated = isRepeated
  for (let sending = 1; ; sending++) {
    try {
      return { answer: await send(), repeated }
    } catch (error) {
      const failure = sqlFailure(error)
      const isOver = sending >= maxSendings || performance.now() >= until || signal?.aborted === true
      if (isOver || !isSentAgain(failure, repeatable)) {
        throw repeated ? afterLost(failure) : failure
      }
      repeated ||= failure.kind === "lost"
      // Random, so that statements which collided don't collide again: 310 to 930 ms in all over five delays.
      await wait(delayMsAfter(backOff, sending) * (0.5 + Math.random()))
    }
  }
}
