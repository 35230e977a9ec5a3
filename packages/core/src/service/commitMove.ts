import * as Effect from "effect/Effect"
import { StoreUnavailable } from "../errors.ts"

/** What a command made of a charge or an exception. */
export interface Moved<S> {
  readonly state: S
  /** This call moved it: nobody else had done so before. */
  readonly isOurs: boolean
}

// Two writers of one charge meet seldom; after more rounds than these something else is wrong.
const mostRounds = 16

/** Decides and commits; when another writer was faster (`undefined`), loads and does so again. */
export const commitMove = Effect.fnUntraced(function* <S, E>(
  read: S,
  load: Effect.Effect<S, E>,
  commit: (state: S) => Effect.Effect<Moved<S> | undefined, E>,
): Effect.fn.Return<Moved<S>, E | StoreUnavailable> {
  let state = read
  for (let round = 0; round < mostRounds; round++) {
    const moved = yield* commit(state)
    if (moved !== undefined) return moved
    state = yield* load
  }
  return yield* new StoreUnavailable({ operation: "commit", cause: "other writers kept changing it" })
})
