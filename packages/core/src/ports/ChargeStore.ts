import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type {
  Charge,
  PendingCharge,
  ChargeId,
  PartialRefund,
  Payment,
  Return,
  EventKind,
  PixEvent,
} from "../model/charge/index.ts"
import type { TermsRow } from "../model/charge/TermsRow.ts"
import type { PaymentStanding } from "../model/charge/PaymentException.ts"
import type { StoreUnavailable } from "./portErrors.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { AuditChange } from "./AuditLog.ts"

export type Insertion = { readonly _tag: "Inserted" } | { readonly _tag: "Exists"; readonly charge: Charge }

/** A row of the outbox. */
export interface NewDelivery<Kind extends EventKind = EventKind> {
  readonly event: PixEvent<Kind>
  readonly endpointId: string
}

/** The version that the caller last saw; 0 for an unseen charge. */
export interface SeenCharge {
  readonly issuer: Cnpj
  readonly id: ChargeId
  readonly version: number
}

/** The move is written whole or not at all; payments and returns are recorded in either case. */
export interface Change {
  readonly issuer: Cnpj
  readonly id: ChargeId
  /** The move needs this version. */
  readonly expectedVersion: number
  /** Its version rises at least once for each event; absent if only payments and returns are recorded. */
  readonly next?: Charge
  /** Recorded even if the version is stale, each once by its endToEndId. */
  readonly payments: ReadonlyArray<Payment>
  /**
   * Recorded even if the version is stale, each once by endToEndId and id, ignoring case. A new return raises the version of the
   * settled charge, or of the payment's exception, unless this change raises it. Returns of a foreign payment of this change are
   * not recorded.
   */
  readonly returns: ReadonlyArray<Return>
  /** At a stale version, records neither payments nor returns, and reports the payments as foreign. */
  readonly onlyAtVersion?: true
  /** Replaces the partial refund with the same key. `next` contains it, too. */
  readonly partialRefund?: PartialRefund
  /**
   * Terms that the move adds, or replaces by number. `next` contains them, too, and its own terms, which differ from the stored
   * ones only with these.
   */
  readonly termsRows?: ReadonlyArray<TermsRow>
  /** Recorded with the move, under `currentActor`; absent if no person decided the move. */
  readonly audit?: AuditChange
  /**
   * Published only if the charge moved; `part-refunded` also if this change records its return, of the settling payment, but
   * not during a refund, whose end brings it again. A charge's events keep this order.
   */
  readonly deliveries: ReadonlyArray<NewDelivery>
  /**
   * One event for each possible reason. Each is published if this commit makes its payment an exception for that reason: records
   * it first, or settles the charge by another payment in its place.
   */
  readonly exceptions?: ReadonlyArray<NewDelivery<"exception">>
  /** On a move, supersedes the charge's waiting `paid` deliveries, or makes superseded deliveries wait again. */
  readonly unsent?: "supersede" | "restore"
}

export interface Committed {
  /**
   * The caller calls the processor only if this is true. False if:
   * - the version was stale;
   * - a replay of the charge's `paid` came in between (a second try withdraws it);
   * - the settling payment belongs to another charge;
   * - more of the payment was returned than `next` knows;
   * - the move begins a whole or partial refund, or brings rows of terms, and it is unknown whether this or another commit wrote
   *   it.
   */
  readonly moved: boolean
  /** EndToEndIds that this commit recorded, except payments that were unmatched before. */
  readonly freshPayments: ReadonlyArray<string>
  /**
   * EndToEndIds of payments of another charge or company, or whose exception is being refunded or resolved. The commit leaves
   * them unchanged. After a failed refund, the exception keeps its payment until a day after the last unanswered refund call.
   */
  readonly foreignPayments: ReadonlyArray<string>
}

export type PaymentRef = Pick<Payment, "issuer" | "endToEndId" | "chargeId">

/** A payment's endToEndId in lower case, with the company whose books have it. */
export type OwnedPayment = Pick<Payment, "issuer" | "endToEndId">

/**
 * Charges with their payments and returns. Comes with the store. A call reaches only the issuers that it names; only `owners`
 * looks across companies. A payment belongs to the first company that records it.
 *
 * Each write is atomic. A commit moves the charge only at the version that was read, and records payments and returns once, even
 * if that version is stale. It adopts an unmatched payment if it was returned in full, or if its exception is open and had no
 * unanswered refund call within the last day. It changes a charge's terms only with `termsRows`. Every method fails with
 * `StoreUnavailable` if the store can't answer or can't store a value.
 */
export class ChargeStore extends Context.Service<
  ChargeStore,
  {
    /** Stores a new charge, or returns the existing one with its id. */
    readonly insert: (charge: PendingCharge) => Effect.Effect<Insertion, StoreUnavailable>
    /**
     * The charge with its settling payment, returns and partial refunds. Returns are oldest first, partial refunds by first
     * request and then by key.
     */
    readonly find: (issuer: Cnpj, id: ChargeId) => Effect.Effect<Charge | undefined, StoreUnavailable>
    /**
     * Charges of any companies with a changed version, in any order. Skips unknown ones. Cheap for thousands of watched charges.
     */
    readonly changed: (seen: ReadonlyArray<SeenCharge>) => Effect.Effect<ReadonlyArray<Charge>, StoreUnavailable>
    /** Recorded payments of any companies, in any order. Cheap for a page of a processor's list. */
    readonly standings: (
      shown: ReadonlyArray<PaymentRef>,
    ) => Effect.Effect<ReadonlyArray<PaymentStanding>, StoreUnavailable>
    /**
     * Compare-and-set of the charge by version. Payments, returns and outbox rows are in the same atomic write (`Change`).
     */
    readonly commit: (change: Change) => Effect.Effect<Committed, StoreUnavailable>
    /**
     * Records a payment without a known charge, its returns and deliveries in one write. Returns false, without a change, if any
     * company's books have the payment.
     */
    readonly recordUnmatched: (
      payment: Payment,
      returns?: ReadonlyArray<Return>,
      exceptions?: ReadonlyArray<NewDelivery<"exception" | "exception-returned">>,
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * The companies with these payments in their books, ignoring case, in any order; ids are in lower case. Skips unknown ids.
     */
    readonly owners: (
      endToEndIds: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<OwnedPayment>, StoreUnavailable>
  }
>()("@pixcharge/core/ports/ChargeStore") {}
