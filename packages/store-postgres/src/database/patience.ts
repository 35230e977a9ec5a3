import { StoreUnavailable } from "@pixcharge/core"
import * as Exit from "effect/Exit"
import type { Call } from "./groupCommit.ts"
import { failureOf, type SqlFailure } from "./SqlFailure.ts"

/** Carries calls out in one statement that waits for no lock longer than `patience`; answers each, or rejects for all. */
export type Together<A, B> = (calls: ReadonlyArray<Call<A, B>>, patience: string) => Promise<void>

/** How long a shared statement waits for a row that somebody else has locked: so long its other rows wait as well. */
const sharedPatience = "200ms"
/** A call by itself first doesn't wait, so that those which nobody blocks go on at once. */
const noPatience = "10ms"
const lastPatience = "2s"
/** Connections on which blocked calls may wait; the host's pool has others to do. */
const mostWaiting = 2

const tell = <A, B>(operation: string, call: Call<A, B>, cause: SqlFailure): void =>
  call.answer(Exit.fail(new StoreUnavailable({ operation, cause })))

/**
 * Runs calls in one statement and, if one of them is blocked or holds a value that can't be stored, each by itself: a
 * bad row never fails its neighbours, and a blocked one holds them up for a fifth of a second. The promise ends when
 * the statement does; what is then done one by one goes on behind it.
 */
export const makePatient = <A, B>(operation: string, together: Together<A, B>) => {
  let waiting = 0
  const queue: Array<Call<A, B>> = []

  const waitInLine = async (): Promise<void> => {
    if (waiting >= mostWaiting) return
    waiting++
    for (let call = queue.shift(); call !== undefined; call = queue.shift()) {
      const one = call
      await together([one], lastPatience).catch((error: unknown) => tell(operation, one, failureOf(error)))
    }
    waiting--
  }

  const apart = async (calls: ReadonlyArray<Call<A, B>>): Promise<void> => {
    for (const call of calls) {
      try {
        await together([call], noPatience)
      } catch (error) {
        const failure = failureOf(error)
        if (failure.kind !== "blocked") tell(operation, call, failure)
        else {
          queue.push(call)
          void waitInLine()
        }
      }
    }
  }

  return async (calls: ReadonlyArray<Call<A, B>>): Promise<void> => {
    try {
      await together(calls, sharedPatience)
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === "blocked" || (failure.kind === "badValue" && calls.length > 1)) void apart(calls)
      else for (const call of calls) tell(operation, call, failure)
    }
  }
}
