import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { StoreUnavailable } from "../../ports/portErrors.ts"

export interface Moved<S> {
  readonly state: S
  readonly isOurs: boolean
}

export interface Attempt<S> extends Moved<S> {
  /** `state` needs another decision, usually because another writer was faster. */
  readonly isStale?: boolean
}

export const maxRounds = 16

/** Decides again if another writer was faster. */
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
