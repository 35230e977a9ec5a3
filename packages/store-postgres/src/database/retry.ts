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
 * What a statement failed with whose work an earlier sending may have done: whatever the last one met, that is unknown, and
 * nobody may go on as if nothing had been carried out.
 */
export const afterLost = (failure: SqlFailure): SqlFailure => {
  const { sqlState, message } = failure
  return failure.kind === "unreplicated" ? failure : new SqlFailure({ kind: "lost", sqlState, message })
}

/** Most statements that the database took back succeed when they are sent for the second or third time. */
const maxSendings = 6
const firstPauseMs = 20

// Real timers, not Effect's Clock: a test that moves the clock by days must not time a statement out.
const pause = (ms: number) => new Promise<void>((resume) => void setTimeout(resume, ms))

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
      // Random, so that what collided doesn't meet again: 20 ms to 640 ms in all over five pauses, half of it random.
      await pause(firstPauseMs * 2 ** (sending - 1) * (0.5 + Math.random()))
    }
  }
}
