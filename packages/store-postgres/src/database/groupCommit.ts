import type { StoreUnavailable } from "@pixcharge/core"
import type * as Effect from "effect/Effect"
import type { Call, SendCalls } from "./Call.ts"
import { makeOneByOne } from "./oneByOne.ts"
import { isOutOfReach, isSentOneByOne } from "./retry.ts"
import { SqlFailure } from "./SqlFailure.ts"
import { storeCall } from "./storeEffect.ts"

/** Parts calls into statements that are sent one after the other. */
type Rounds<A, B> = (calls: ReadonlyArray<Call<A, B>>) => ReadonlyArray<ReadonlyArray<Call<A, B>>>

interface WaitingCall<A, B> extends Call<A, B> {
  isGivenUp: boolean
}

/** Statements of one kind under way at once; while there are this many, new calls gather for the next. */
const maxAtOnce = 3
/** Calls in one statement: beyond some hundreds nothing is gained, and others wait longer. */
const maxCalls = 256
/** A batch is split among idle connections only into parts of at least this many. */
const worthParting = 16
/** How long a shared statement waits for a row that another session has locked: its other rows wait as long. */
const sharedLockTimeout = "200ms"

/**
 * Concurrent calls share statements: those of the same turn go together, at once while the database has little to do,
 * and with all that arrived meanwhile as soon as a statement ends while it is busy. A lone call waits for nobody.
 *
 * If a row is locked or can't be stored, the calls of its batch that are not carried out yet are sent one by one: a bad
 * row fails no other, and a locked one delays the others by a fifth of a second. Later rounds are, too, for they may
 * want the same row. The batch ends there, so that its connection is free for the next.
 *
 * A caller that gives up leaves the batch if it was not sent yet; a sent one is carried out (decision 33).
 */
export const groupCommit = <A, B>(
  operation: string,
  send: SendCalls<A, B>,
  rounds: Rounds<A, B> = (calls) => [calls],
): ((value: A) => Effect.Effect<B, StoreUnavailable>) => {
  const sendOneByOne = makeOneByOne(send)
  let waiting: Array<WaitingCall<A, B>> = []
  let underWay = 0
  let isScheduled = false

  const sendRounds = async (all: ReadonlyArray<ReadonlyArray<Call<A, B>>>): Promise<void> => {
    for (const [at, calls] of all.entries()) {
      try {
        await send(calls, sharedLockTimeout)
      } catch (cause) {
        if (!(cause instanceof SqlFailure) || isOutOfReach(cause)) throw cause
        if (isSentOneByOne(cause, calls.length)) return sendOneByOne(all.slice(at).flat(), cause)
        for (const call of calls) call.fail(cause)
      }
    }
  }

  const sendBatch = async (calls: ReadonlyArray<Call<A, B>>): Promise<void> => {
    underWay++
    try {
      await sendRounds(rounds(calls))
    } catch (cause) {
      for (const call of calls) call.fail(cause)
    }
    underWay--
    schedule()
  }

  const sendWaiting = (): void => {
    isScheduled = false
    waiting = waiting.filter(({ isGivenUp }) => !isGivenUp)
    while (underWay < maxAtOnce && waiting.length > 0) {
      const parts = Math.min(maxAtOnce - underWay, Math.ceil(waiting.length / worthParting))
      void sendBatch(waiting.splice(0, Math.min(maxCalls, Math.ceil(waiting.length / parts))))
    }
  }

  const schedule = (): void => {
    if (isScheduled || underWay >= maxAtOnce || waiting.length === 0) return
    isScheduled = true
    setImmediate(sendWaiting)
  }

  return (value) =>
    storeCall(operation, (answer, fail) => {
      const call = { value, arrivedAt: performance.now(), answer, fail, isGivenUp: false }
      waiting.push(call)
      schedule()
      return () => {
        call.isGivenUp = true
      }
    })
}
