import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "./portErrors.ts"

/**
 * Tokens that were revoked one by one, until they would have ended by themselves. Comes with the store. Moments are epoch
 * milliseconds of real time, for the sandbox's clock doesn't age tokens (decision 4). Every method fails with
 * `StoreUnavailable`, and may be repeated without harm.
 */
export class RevokedTokens extends Context.Service<
  RevokedTokens,
  {
    /** Keeps a token's id (`jti`) as revoked until that moment or, if it was revoked before, until the later of the two. */
    readonly revoke: (token: {
      readonly id: string
      readonly until: number
      /** What was revoked until then or earlier is forgotten. */
      readonly now: number
    }) => Effect.Effect<void, StoreUnavailable>
    /** The ids of all that are revoked until later than `now`. */
    readonly list: (now: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  }
>()("@pixcharge/core/ports/RevokedTokens") {}
