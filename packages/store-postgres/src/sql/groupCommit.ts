import type { StoreUnavailable } from "@pixcharge/core"
import type * as Effect from "effect/Effect"
import { type Call, type SendCalls, storeCall } from "./Database.ts"
import { OneByOne } from "./OneByOne.ts"
import { SqlFailure } from "./SqlFailure.ts"
import { isOutOfReach, isSentOneByOne } from "./retry.ts"

type SplitIntoRounds<A, B> = (calls: ReadonlyArray<Call<A, B>>) => ReadonlyArray<ReadonlyArray<Call<A, B>>>

interface WaitingCall<A, B> extends Call<A, B> {
  isGivenUp: boolean
}

/** The maximum number of simultaneous statements of one kind. */
const maxAtOnce = 3
/** A larger batch isn't faster, and other calls wait longer. */
const maxCalls = 256
/** How long calls gather beside a statement. A statement takes as much of Postgres's processor as eight of its rows. */
const gatherMs = 5
/** The longest wait of a shared statement for a locked row. */
const sharedLockTimeout = "200ms"

/**
 * Lets concurrent calls share statements. Calls of one turn of the event loop go together immediately. Beside a statement under way,
 * calls gather until it ends or `gatherMs` have passed.
 *
 * If a row is locked or can't be stored, the remaining calls of its batch are sent one by one: a bad row doesn't fail other
 * calls, and a locked row delays them by 200 ms. The calls of later rounds are sent one by one too, because they can need the
 * same row.
 *
 * A caller that gives up before its call is sent leaves the batch; a sent call is executed (decision 33).
 */
export const groupCommit = <A, B>(
  operation: string,
  send: SendCalls<A, B>,
  splitIntoRounds: SplitIntoRounds<A, B> = (calls) => [calls],
): ((value: A) => Effect.Effect<B, StoreUnavailable>) => {
  const oneByOne = new OneByOne(send)
  let waiting: Array<WaitingCall<A, B>> = []
  let underWay = 0
  let immediate: NodeJS.Immediate | undefined
  let timer: NodeJS.Timeout | undefined

  const sendRounds = async (rounds: ReadonlyArray<ReadonlyArray<Call<A, B>>>): Promise<void> => {
    for (const [index, calls] of rounds.entries()) {
      try {
        await send(calls, sharedLockTimeout)
      } catch (cause) {
        if (!(cause instanceof SqlFailure) || isOutOfReach(cause)) throw cause
        if (isSentOneByOne(cause, calls.length)) return oneByOne.add(rounds.slice(index).flat(), cause)
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
    clearTimeout(timer)
    immediate = timer = undefined
    waiting = waiting.filter(({ isGivenUp }) => !isGivenUp)
    while (underWay < maxAtOnce && waiting.length > 0) void sendBatch(waiting.splice(0, maxCalls))
  }

  const schedule = (): void => {
    if (underWay >= maxAtOnce || waiting.length === 0) return
    if (underWay > 0) timer ??= setTimeout(sendWaiting, gatherMs)
    else immediate ??= setImmediate(sendWaiting)
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
 * Splits calls into rounds that name each row once, because calls within one statement don't see each other's writes. Calls for
 * the same row keep their order.
 */
export const intoRounds =
  <A, B>(listRowKeys: (value: A) => ReadonlyArray<string>) =>
  (calls: ReadonlyArray<Call<A, B>>): ReadonlyArray<ReadonlyArray<Call<A, B>>> => {
    const rounds: Array<Array<Call<A, B>>> = []
    const next = new Map<string, number>()
    for (const call of calls) {
      const rows = listRowKeys(call.value)
      const round = Math.max(...rows.map((row) => next.get(row) ?? 0))
      for (const row of rows) next.set(row, round + 1)
      ;(rounds[round] ??= []).push(call)
    }
    return rounds
  }
