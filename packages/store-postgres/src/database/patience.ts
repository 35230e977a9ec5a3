import type { Call } from "./groupCommit.ts"
import { makeOneByOne, tell, type Together } from "./oneByOne.ts"
import { failureOf, type SqlFailure } from "./SqlFailure.ts"

/** How long a shared statement waits for a row that somebody else has locked: so long its other rows wait as well. */
const sharedPatience = "200ms"

const isOutOfReach = ({ kind }: SqlFailure): boolean => kind === "lost" || kind === "unsent"

/**
 * Runs rounds of calls, each in one statement, one after the other. If a call is blocked or holds a value that can't be
 * stored, those of its round are carried out each by itself: a bad row never fails its neighbours, and a blocked one
 * holds them up for a fifth of a second. The rounds after a blocked one are too, for they may want the same row. The
 * promise ends when the statements do; what is then done one by one goes on behind it.
 */
export const makePatient = <A, B>(operation: string, together: Together<A, B>) => {
  const oneByOne = makeOneByOne(operation, together)

  return async (rounds: ReadonlyArray<ReadonlyArray<Call<A, B>>>): Promise<void> => {
    for (const [at, calls] of rounds.entries()) {
      try {
        await together(calls, sharedPatience)
      } catch (error) {
        const failure = failureOf(error)
        const rest = rounds.slice(at + 1).flat()
        if (failure.kind === "blocked") return oneByOne([...calls, ...rest], failure)
        if (isOutOfReach(failure)) return [...calls, ...rest].forEach((call) => tell(operation, call, failure))
        if (failure.kind === "badValue" && calls.length > 1) oneByOne(calls, failure)
        else for (const call of calls) tell(operation, call, failure)
      }
    }
  }
}
