import { delayMsAfter } from "@pixcharge/core/internal"
import { SqlFailure, sqlFailure } from "./SqlFailure.ts"

const isSentAgain = ({ kind }: SqlFailure, repeatable: boolean): boolean =>
  kind === "unsent" || kind === "undone" || kind === "unnamed" || (kind === "lost" && repeatable)

/** After a failure that a single row caused. */
export const isSentOneByOne = ({ kind }: SqlFailure, calls: number): boolean =>
  kind === "blocked" || (kind === "badValue" && calls > 1)

export const isOutOfReach = ({ kind }: SqlFailure): boolean => kind === "lost" || kind === "unsent"

/** Turns a failure into `lost`, because an earlier sending without an answer might have succeeded. */
export const afterLost = (failure: SqlFailure): SqlFailure => {
  const { sqlState, message } = failure
  return failure.kind === "unreplicated" ? failure : new SqlFailure({ kind: "lost", sqlState, message })
}

/** Most rolled-back statements succeed at the second or third sending. */
const maxSendings = 6
const backOff = { firstMs: 20, maxMs: 320 }

// A test that moves Effect's Clock by days must not time a statement out.
const wait = (ms: number) => new Promise<void>((resume) => void setTimeout(resume, ms))

interface Sendings {
  readonly repeatable: boolean
  readonly forMs: number
  readonly isRepeated: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a statement again while that is safe. `repeated` tells that an earlier sending might have succeeded. Rejects with the
 * last `SqlFailure`, as `lost` if an earlier answer was lost.
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
      // Random, because statements that collided must not collide again: 310 to 930 ms over five delays.
      await wait(delayMsAfter(backOff, sending) * (0.5 + Math.random()))
    }
  }
}
