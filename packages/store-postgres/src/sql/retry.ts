import { delayMsAfter } from "@pixcharge/core/internal"
import { SqlFailure, sqlFailure } from "./SqlFailure.ts"

// Decides what is sent again after a failure: the statement, each call of a batch by itself, or nothing.

/** After a lost answer, only a repeatable statement. */
const isSentAgain = ({ kind }: SqlFailure, repeatable: boolean): boolean =>
  kind === "unsent" || kind === "undone" || kind === "unnamed" || (kind === "lost" && repeatable)

/** The calls of a batch are sent one by one after a failure that a single row caused. */
export const isSentOneByOne = ({ kind }: SqlFailure, calls: number): boolean =>
  kind === "blocked" || (kind === "badValue" && calls > 1)

/** The rest of a batch is dropped, because each statement would wait as long. */
export const isOutOfReach = ({ kind }: SqlFailure): boolean => kind === "lost" || kind === "unsent"

/**
 * The failure of a statement with a lost earlier sending: that sending might have been carried out, even if the last one surely
 * failed.
 */
export const afterLost = (failure: SqlFailure): SqlFailure => {
  const { sqlState, message } = failure
  return failure.kind === "unreplicated" ? failure : new SqlFailure({ kind: "lost", sqlState, message })
}

/** Most rolled-back statements succeed at the second or third sending. */
const maxSendings = 6
const backOff = { firstMs: 20, maxMs: 320 }

// Real timers, not Effect's Clock: a test that moves the clock by days must not time a statement out.
const wait = (ms: number) => new Promise<void>((resume) => void setTimeout(resume, ms))

interface Sendings {
  readonly repeatable: boolean
  /** Milliseconds. */
  readonly forMs: number
  /** An earlier sending was lost before these. */
  readonly isRepeated: boolean
  /** Aborted when no caller waits for the answer. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a statement again while that is safe. `repeated` tells that an earlier sending might have been carried out. Rejects with the
 * last `SqlFailure`, as `lost` if an earlier one was lost.
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
      // Random, because statements that collided must not collide again: 310 to 930 ms in all over five delays.
      await wait(delayMsAfter(backOff, sending) * (0.5 + Math.random()))
    }
  }
}
