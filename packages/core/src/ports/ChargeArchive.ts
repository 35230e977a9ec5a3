import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Charge } from "../charge/Charge.ts"
import type { Payment, Return } from "../charge/Payment.ts"
import type { ExceptionState, PaymentException } from "../charge/PaymentException.ts"
import type { StoreUnavailable } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { TaxId } from "../party/TaxId.ts"
import type { Page, PageRequest } from "../page/Page.ts"
import type { Period } from "../page/Period.ts"

export interface ExceptionChange {
  readonly issuer: Cnpj
  readonly endToEndId: string
  readonly expectedVersion: number
  readonly next: ExceptionState
  /** Recorded even when the version is stale; a new one moves the version then, too (`Change.returns`). */
  readonly returns: ReadonlyArray<Return>
}

/** What the company holds about one payer (LGPD, art. 18). */
export interface PayerRecord {
  readonly charges: ReadonlyArray<Charge>
}

/** Asks for work that is due `now`, at most `limit`, to be one's own for `leaseMs`. */
export interface ClaimRequest {
  readonly now: number
  readonly limit: number
  readonly leaseMs: number
}

/** What the hot path never needs: lists, the desk of exceptions, daily reconciliation, payers' rights, the reconciler's scans. */
export class ChargeArchive extends Context.Service<
  ChargeArchive,
  {
    /** The company's charges, newest first, by the moment of their creation. */
    readonly charges: (issuer: Cnpj, period: Period, page: PageRequest) => Effect.Effect<Page<Charge>, StoreUnavailable>
    /** Every payment made within the period, oldest first and then by endToEndId, matched or not. */
    readonly payments: (
      issuer: Cnpj,
      period: Period,
      page: PageRequest,
    ) => Effect.Effect<Page<Payment>, StoreUnavailable>
    /** One payment, matched or not; undefined if it isn't recorded. */
    readonly payment: (issuer: Cnpj, endToEndId: string) => Effect.Effect<Payment | undefined, StoreUnavailable>
    /** Every return made within the period, oldest first. */
    readonly returns: (issuer: Cnpj, period: Period, page: PageRequest) => Effect.Effect<Page<Return>, StoreUnavailable>
    /** Payments that settled no charge and are neither wholly returned nor resolved, oldest first. */
    readonly openExceptions: (
      issuer: Cnpj,
      page: PageRequest,
    ) => Effect.Effect<Page<PaymentException>, StoreUnavailable>
    /** The exception of one payment, whatever its state; undefined for a settling or unknown payment. */
    readonly exception: (
      issuer: Cnpj,
      endToEndId: string,
    ) => Effect.Effect<PaymentException | undefined, StoreUnavailable>
    /** Compare-and-set of an exception's state; true when it moved. */
    readonly commitException: (change: ExceptionChange) => Effect.Effect<boolean, StoreUnavailable>
    /** All that is kept about a payer of this company, the newest charge first. */
    readonly exportPayer: (issuer: Cnpj, taxId: TaxId) => Effect.Effect<PayerRecord, StoreUnavailable>
    /** Forgets name and document on every charge of the payer; money facts stay. How many charges. */
    readonly erasePayer: (issuer: Cnpj, taxId: TaxId, now: number) => Effect.Effect<number, StoreUnavailable>
    /**
     * Moves out of the hot tables what is settled since before this moment, at most `limit` charges; how many. Settled
     * is a charge that is paid, refunded or cancelled, or unpaid after its watch, with no check to come. An archived
     * charge is still found and listed, keeps its id taken, and moves like any other.
     */
    readonly archive: (settledBefore: number, limit: number) => Effect.Effect<number, StoreUnavailable>
    /**
     * Takes charges whose `checkAt` has come, oldest first, and puts their `checkAt` to `now + leaseMs`, so that several
     * processes don't double the work and a crash loses none. Then those that a clock which ran ahead has left: whose
     * checks it has ended, and whose `checkAt` it has set more than 25 hours from now, further than any check is put off.
     */
    readonly claimChecks: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<Charge>, StoreUnavailable>
    /**
     * Sets or clears `checkAt` without moving the charge; ignored when its version has changed. `endedAt` is when the last
     * check was made: the charge is due again for a clock that was set back to more than a minute before that.
     */
    readonly scheduleCheck: (
      charge: Pick<Charge, "issuer" | "id" | "version">,
      checkAt: number | undefined,
      endedAt?: number,
    ) => Effect.Effect<void, StoreUnavailable>
    /** Takes exceptions under refund whose `checkAt` has come, like `claimChecks`; the version stays as it is. */
    readonly claimExceptionRefunds: (
      request: ClaimRequest,
    ) => Effect.Effect<ReadonlyArray<PaymentException>, StoreUnavailable>
    /** Sets the `checkAt` of an exception under refund; ignored when its version has changed. */
    readonly scheduleExceptionRefund: (
      exception: Pick<PaymentException, "payment" | "version">,
      checkAt: number,
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pixcharge/core/ports/ChargeArchive") {}
