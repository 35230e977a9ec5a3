import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { StoreUnavailable } from "../../ports/portErrors.ts"

/** What a command made of a charge, an exception or a recurrence. */
export interface Moved<S> {
  readonly state: S
  /** This call moved it, and no other did so before. */
  readonly isOurs: boolean
}

/** What one attempt to move something came to. */
export interface Attempt<S> extends Moved<S> {
  /** Another writer was faster: `state` is what it is now, to be decided on once more. */
  readonly isStale?: boolean
}

/** Two writers of one thing seldom conflict: after this many rounds something else is wrong. */
export const maxRounds = 16

/**
 * Moves something that was read: `attempt` decides on it and commits, and does both once more on what is stored while another writer
 * is faster. Each attempt is given its moment, in epoch milliseconds.
 */
export const moveUntilCommitted = Effect.fnUntraced(function* <S, E, R>(
  what: "charge" | "exception" | "recurrence",
  read: S,
  attempt: (state: S, now: number) => Effect.Effect<Attempt<S>, E, R>,
): Effect.fn.Return<Moved<S>, E | StoreUnavailable, R> {
  let state = read
  for (let round = 0; round < maxRounds; round++) {
    const attempted = yield* attempt(state, yield* Clock.currentTimeMillis)
    if (attempted.isStale !== true) return attempted
    state = attempted.state
  }
  return yield* new StoreUnavailable({ operation: "commit", cause: `the ${what} kept changing` })
})
