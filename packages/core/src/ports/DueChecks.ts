import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Charge, PaymentException } from "../model/charge/index.ts"
import type { QueueDepth } from "./Outbox.ts"
import type { StoreUnavailable } from "./portErrors.ts"

export interface ClaimRequest {
  /** Epoch milliseconds. */
  readonly now: number
  readonly limit: number
  /** Milliseconds from `now`. No other process claims the same work until then. */
  readonly leaseMs: number
}

export type DueKind = "deliveries" | "charges" | "exceptions" | "recurrences" | "companies"

export interface DueWork {
  /** Claims of other kinds find no work, even after the claims of these. */
  readonly kinds: ReadonlySet<DueKind>
  /** Absent while a shard fails. */
  readonly depth?: Omit<QueueDepth, "retrying">
}

/** The look-up of an unpaid charge younger than this also wakes its company. Milliseconds. */
export const wakesForMs = 720_000

/**
 * The check just made. With it, the next check is set only if `checkAt` hasn't changed since: a check set meanwhile has a newer
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
 * When to look up charges and exceptions' refunds at the processor. Comes with the store. A check is a time on the row itself
 * (`checkAt`); setting it doesn't change the row's version. Every method fails with `StoreUnavailable`.
 */
export class DueChecks extends Context.Service<
  DueChecks,
  {
    /** `now` is in epoch milliseconds. */
    readonly look: (now: number) => Effect.Effect<DueWork, StoreUnavailable>
    /**
     * Claims charges of any company whose `checkAt` has come, oldest first (a store in shards takes turns among them), and moves
     * `checkAt` to `now + leaseMs`. Then claims charges that a fast clock has left behind: their checks ended in the future, or
     * `checkAt` is more than `maxAheadMs` after `now` (for an unpaid charge: after the later of `now` and its `watchUntil`).
     *
     * Doesn't claim an unpaid charge before its `lookUpAt`: that becomes its `checkAt`, and its company's reconciliation is woken
     * in the same step. A claimed unpaid charge also wakes its company if it has a `lookUpAt` or was created less than
     * `wakesForMs` ago.
     */
    readonly claimCharges: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<Charge>, StoreUnavailable>
    /** Ignored if the charge's version has changed. `checkAt` is in epoch milliseconds; undefined clears it. */
    readonly scheduleCharge: (
      charge: Pick<Charge, "issuer" | "id" | "version" | "checkAt">,
      checkAt: number | undefined,
      made?: MadeCheck,
    ) => Effect.Effect<void, StoreUnavailable>
    /** Claims exceptions under refund, as `claimCharges` claims charges. */
    readonly claimExceptions: (
      request: ClaimRequest,
    ) => Effect.Effect<ReadonlyArray<PaymentException>, StoreUnavailable>
    /** Ignored if the exception's version has changed. `checkAt` is in epoch milliseconds. */
    readonly scheduleException: (
      exception: Pick<PaymentException, "payment" | "version">,
      checkAt: number,
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pixcharge/core/ports/DueChecks") {}
