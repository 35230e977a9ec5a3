import type { StoreUnavailable } from "@pixcharge/core"
import type * as Effect from "effect/Effect"
import { type Call, type SendCalls, storeCall } from "./Database.ts"
import { OneByOne } from "./OneByOne.ts"
import { SqlFailure } from "./SqlFailure.ts"
import { isOutOfReach, isSentOneByOne } from "./retry.ts"

/** Splits calls into statements that are sent one after the other. */
type SplitIntoRounds<A, B> = (calls: ReadonlyArray<Call<A, B>>) => ReadonlyArray<ReadonlyArray<Call<A, B>>>

interface WaitingCall<A, B> extends Call<A, B> {
  isGivenUp: boolean
}

/** Statements of one kind under way at once; while there are this many, new calls gather for the next. */
const maxAtOnce = 3
/** Calls in one statement: beyond some hundreds nothing is gained, and others wait longer. */
const maxCalls = 256
/** A batch is split among idle connections only into parts of at least this many. */
const minPartCalls = 16
/** How long a shared statement waits for a row that another session has locked: its other rows wait as long. */
const sharedLockTimeout = "200ms"

/**
 * Has concurrent calls share statements. The calls of one turn of the event loop go together: at once while few statements are under
 * way, otherwise with all that arrive until one of these ends. A lone call waits for nobody.
 *
 * If a row is locked or can't be stored, the calls of its batch that are not carried out yet are sent one by one: a bad row fails no
 * other, and a locked one delays the others by a fifth of a second. So are later rounds, because they may want the same row. The batch
 * ends there, so that its connection is free for the next.
 *
 * A caller that gives up before its call is sent leaves the batch; a call that was sent is carried out (decision 33).
 */
export const groupCommit = <A, B>(
  operation: string,
  send: SendCalls<A, B>,
  splitIntoRounds: SplitIntoRounds<A, B> = (calls) => [calls],
): ((value: A) => Effect.Effect<B, StoreUnavailable>) => {
  const oneByOne = new OneByOne(send)
  let waiting: Array<WaitingCall<A, B>> = []
  let underWay = 0
  let isScheduled = false

  const sendRounds = async (rounds: ReadonlyArray<ReadonlyArray<Call<A, B>>>): Promise<void> => {
    for (const [at, calls] of rounds.entries()) {
      try {
        await send(calls, sharedLockTimeout)
      } catch (cause) {
        if (!(cause instanceof SqlFailure) || isOutOfReach(cause)) throw cause
        if (isSentOneByOne(cause, calls.length)) return oneByOne.add(rounds.slice(at).flat(), cause)
        for (const call of calls) call.fail(cause)
      }
    }
  }

  const sendBatch = async (calls: ReadonlyArray<Call<A, B>>): Promise<void> => {
    underWay++
    try {
      await sendRounds(splitIntoRounds(calls))
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
      const parts = Math.min(maxAtOnce - underWay, Math.ceil(waiting.length / minPartCalls))
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

/**
 * Splits calls into rounds in which no row is named twice, for within one statement no call sees what another has written. Calls for
 * the same row keep their order. `nameRows` names the rows that a call is about.
 */
export const intoRounds =
  <A, B>(nameRows: (value: A) => ReadonlyArray<string>) =>
  (calls: ReadonlyArray<Call<A, B>>): ReadonlyArray<ReadonlyArray<Call<A, B>>> => {
    const rounds: Array<Array<Call<A, B>>> = []
    const next = new Map<string, number>()
    for (const call of calls) {
      const rows = nameRows(call.value)
      const round = Math.max(...rows.map((row) => next.get(row) ?? 0))
      for (const row of rows) next.set(row, round + 1)
      ;(rounds[round] ??= []).push(call)
    }
    return rounds
  }
