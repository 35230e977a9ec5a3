import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../errors.ts"

/** Keeps the tables small that every call reads. */
export class ChargeArchive extends Context.Service<
  ChargeArchive,
  {
    /**
     * Moves out of the hot tables what is settled since before this moment, in epoch milliseconds, at most `limit`
     * charges; answers with how many. Settled is a charge that is paid, refunded or cancelled, or unpaid after its watch,
     * with no check to come. An archived charge is still found and listed, keeps its id taken, and moves like any other.
     * Fails with `StoreUnavailable`.
     */
    readonly archive: (settledBefore: number, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@pixcharge/core/ports/ChargeArchive") {}
