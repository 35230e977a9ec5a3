import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Charge, PaymentException } from "../model/charge/index.ts"
import type { StoreUnavailable } from "./portErrors.ts"

/** Asks for work that is due; what is claimed is one's own until the lease ends. */
export interface ClaimRequest {
  /** Epoch milliseconds. */
  readonly now: number
  /** The most to claim. */
  readonly limit: number
  /** For this many milliseconds from `now` nobody else claims the same. */
  readonly leaseMs: number
}

/** An unpaid charge that is younger than this when it is looked up may not have woken its company yet. Milliseconds. */
export const wakesForMs = 660_000

/**
 * What the check before the one that is scheduled has come to. With it the charge is scheduled only if its `checkAt` is still the
 * one that was read: a check that was set meanwhile has a reason which this one didn't know.
 */
export interface MadeCheck {
  /**
   * When the last check of all was made, in epoch milliseconds: the charge is due again for a clock that was set back to more than
   * `clockToleranceMs` before that.
   */
  readonly endedAt?: number
}

/**
 * Which charges and refunds of exceptions the processor should be asked about, and when. Comes with the store; the `Reconciler`
 * claims the checks, and what moves charges sets them. A check is a moment on the row itself (`checkAt`); setting it doesn't move the
 * row's version. Every method fails with `StoreUnavailable`.
 */
export class DueChecks extends Context.Service<
  DueChecks,
  {
    /**
     * Takes charges of any company whose `checkAt` has come, oldest first (a store in shards: within each of them, which take
     * turns), and puts their `checkAt` to `now + leaseMs`, so
     * that several processes don't double the work and a crash loses none. Then those that a clock which ran ahead has
     * left: whose checks it has ended, and whose `checkAt` lies more than `maxAheadMs` after `now`, or after its `watchUntil`
     * where it is unpaid.
     *
     * An unpaid charge whose `lookUpAt` is still to come is not taken: that becomes its `checkAt`. Its company's reconciliation is
     * woken in the same step, and so is that of an unpaid charge which is taken and has a `lookUpAt`, or was created less than
     * `wakesForMs` ago.
     */
    readonly claimCharges: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<Charge>, StoreUnavailable>
    /** Sets or clears a charge's `checkAt`, in epoch milliseconds; ignored when its version has changed. */
    readonly scheduleCharge: (
      charge: Pick<Charge, "issuer" | "id" | "version" | "checkAt">,
      checkAt: number | undefined,
      made?: MadeCheck,
    ) => Effect.Effect<void, StoreUnavailable>
    /** Takes exceptions under refund whose `checkAt` has come, like `claimCharges`. */
    readonly claimExceptions: (
      request: ClaimRequest,
    ) => Effect.Effect<ReadonlyArray<PaymentException>, StoreUnavailable>
    /** Sets the `checkAt` of an exception under refund, in epoch milliseconds; ignored when its version has changed. */
    readonly scheduleException: (
      exception: Pick<PaymentException, "payment" | "version">,
      checkAt: number,
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pixcharge/core/ports/DueChecks") {}
