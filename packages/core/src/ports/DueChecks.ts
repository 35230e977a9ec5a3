import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Charge, PaymentException } from "../model/charge/index.ts"
import type { StoreUnavailable } from "./portErrors.ts"

export interface ClaimRequest {
  /** Epoch milliseconds. */
  readonly now: number
  readonly limit: number
  /** Milliseconds from `now` in which no other process claims the same. */
  readonly leaseMs: number
}

/** Milliseconds from `now`. No other process claims the same work until then. */
export const wakesForMs = 660_000

/**
 * The check just made. The next check is then set only if `checkAt` hasn't changed since: a check set meanwhile has a newer
 * reason.
 */
export interface MadeCheck {
  /**
   * Time of the charge's final check, in epoch milliseconds. The charge is due again if the clock is later set back by more than
   * `clockToleranceMs`.
   */
  readonly endedAt?: number
}

/**
 * Time of the charge's final check, in epoch milliseconds. The charge is due again if the clock is later set back by more than
 * `clockToleranceMs`.
 */
export class DueChecks extends Context.Service<
  DueChecks,
  {
    /**
     * When to look up charges and exceptions' refunds at the processor. Comes with the store. A check is a moment on the row
     * itself (`checkAt`); setting it doesn't change the row's version. Every method fails with `StoreUnavailable`.
     */
    readonly claimCharges: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<Charge>, StoreUnavailable>
    /** Sets or clears a charge's `checkAt`, in epoch milliseconds, unless its version has changed. */
    readonly scheduleCharge: (
      charge: Pick<Charge, "issuer" | "id" | "version" | "checkAt">,
      checkAt: number | undefined,
      made?: MadeCheck,
    ) => Effect.Effect<void, StoreUnavailable>
    /** Claims exceptions under refund whose `checkAt` has come, like `claimCharges`. */
    readonly claimExceptions: (
      request: ClaimRequest,
    ) => Effect.Effect<ReadonlyArray<PaymentException>, StoreUnavailable>
    /** Sets the `checkAt` of an exception under refund, in epoch milliseconds, unless its version has changed. */
    readonly scheduleException: (
      exception: Pick<PaymentException, "payment" | "version">,
      checkAt: number,
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pixcharge/core/ports/DueChecks") {}
