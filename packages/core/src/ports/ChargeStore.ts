import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type {
  Charge,
  PendingCharge,
  ChargeId,
  PartialRefund,
  Payment,
  Return,
  PixEvent,
} from "../model/charge/index.ts"
import type { PaymentStanding } from "../model/charge/PaymentException.ts"
import type { StoreUnavailable } from "./portErrors.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { AuditChange } from "./AuditLog.ts"

/** What became of an insertion. */
export type Insertion =
  | { readonly _tag: "Inserted" }
  /** The id is taken in this company; the charge that has it is untouched. */
  | { readonly _tag: "Exists"; readonly charge: Charge }

/** An event on its way to one endpoint: a row of the outbox. */
export interface NewDelivery {
  readonly event: PixEvent
  readonly endpointId: string
}

/** A charge as somebody saw it last: by its version then, or 0 for one that was not seen yet. */
export interface SeenCharge {
  readonly issuer: Cnpj
  readonly id: ChargeId
  readonly version: number
}

/** What one commit writes, all or nothing of the move, and the money facts in any case. */
export interface Change {
  readonly issuer: Cnpj
  readonly id: ChargeId
  /** The version that was read; the move happens only while the charge still has it. */
  readonly expectedVersion: number
  /** The charge after the move, its version one on; absent when only facts are recorded. */
  readonly next?: Charge
  /** Recorded even when the version is stale, each once by its endToEndId. */
  readonly payments: ReadonlyArray<Payment>
  /**
   * Recorded even when the version is stale, each once by endToEndId and id, in either case. One that is new moves
   * the version of the charge that its payment settled, or of the payment's exception, unless the change itself moves that:
   * what anybody decided without knowing it is stale. Those of a foreign payment of the change are not recorded.
   */
  readonly returns: ReadonlyArray<Return>
  /**
   * When the version is stale, neither the payments nor their returns are recorded, and the payments count as foreign. For a charge
   * that was read some time before: the caller then looks whether the books have the payment under an id in another case.
   */
  readonly onlyAtVersion?: true
  /** Written with the move, in place of the one that has its key; `next` has it, too. */
  readonly partialRefund?: PartialRefund
  /** Recorded with the move, under `currentActor`; absent where the move is nobody's decision. */
  readonly audit?: AuditChange
  /** Put into the outbox if and only if the charge moved. */
  readonly deliveries: ReadonlyArray<NewDelivery>
  /** On a move: `paid` deliveries of the charge that still wait are superseded, or superseded ones wait again. */
  readonly unsent?: "supersede" | "restore"
}

/** What a commit did. */
export interface Committed {
  /**
   * False when the version was stale, when a replay of the charge's `paid` came in between (another try withdraws it),
   * when the settling payment belongs to another charge, when more went back of it than `next` knows, or when it is unknown whether this move to a refund under way, or
   * of a partial refund, was carried out or another like it: the caller that gets true calls the processor.
   */
  readonly moved: boolean
  /** The endToEndIds that were recorded by this very commit; one that was unmatched before is not among them. */
  readonly freshPayments: ReadonlyArray<string>
  /**
   * The endToEndIds that another charge of the company already holds, or another company, or whose exception is under
   * refund or resolved: not recorded again, never moved over. The same holds after a refund that failed, until a day after
   * its last call that has no answer.
   */
  readonly foreignPayments: ReadonlyArray<string>
}

/** A payment by its company and id, and the charge that it names. */
export type ShownPlace = Pick<Payment, "issuer" | "endToEndId" | "chargeId">

/** A payment by its endToEndId in lower case, and the company whose books have it. */
export type OwnedPayment = Pick<Payment, "issuer" | "endToEndId">

/**
 * Charges with their payments and returns. Comes with the store; every service that moves charges uses it. Every call names the
 * issuer of a charge, so that no company can reach another's; only `owners` tells who has a payment.
 *
 * A payment is in the books of one company: whichever records it first has it, and it is refused to all others.
 *
 * Each write is atomic by itself. A commit moves the charge only at the version that was read, and records payments and returns once,
 * even if that version is stale. A payment that was recorded as unmatched is adopted by the charge that commits it, if all of
 * it went back, or if its exception is open and no call for its refund in the last day is unanswered. A commit never changes the
 * terms of a charge, so that a move decided before an erasure can't bring the payer back. Every method fails with
 * `StoreUnavailable` if the store can't answer or can't store a value.
 */
export class ChargeStore extends Context.Service<
  ChargeStore,
  {
    /** Stores a new charge, or returns the one that has its id. */
    readonly insert: (charge: PendingCharge) => Effect.Effect<Insertion, StoreUnavailable>
    /**
     * The charge with its settling payment and all returns of that, oldest first, whichever commit recorded them, and with
     * its partial refunds, by when they were first asked for and then by key.
     */
    readonly find: (issuer: Cnpj, id: ChargeId) => Effect.Effect<Charge | undefined, StoreUnavailable>
    /**
     * The charges among these, of any companies, whose version has changed, each as `find` returns it, in any order; one that
     * doesn't exist is left out. It is one look-up for thousands of watched charges, and costs little for those that have not
     * moved.
     */
    readonly changed: (seen: ReadonlyArray<SeenCharge>) => Effect.Effect<ReadonlyArray<Charge>, StoreUnavailable>
    /**
     * Where payments of any companies stand, in any order; one that isn't recorded is not among them. It is one look-up, for a page
     * of a processor's list, and costs little for each.
     */
    readonly standings: (
      shown: ReadonlyArray<ShownPlace>,
    ) => Effect.Effect<ReadonlyArray<PaymentStanding>, StoreUnavailable>
    /** Compare-and-set of the charge, with payment, return and outbox rows in the same atomic write. */
    readonly commit: (change: Change) => Effect.Effect<Committed, StoreUnavailable>
    /**
     * Records a payment for which no charge is known, once by its endToEndId, and in the same write what went back of it; true
     * when this call recorded it, false when these books have it already, or another company's. Of a payment that is known it
     * records nothing.
     */
    readonly recordUnmatched: (
      payment: Payment,
      returns?: ReadonlyArray<Return>,
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * The companies whose books have these payments, in either case, in any order and by endToEndIds in lower case; one that is in
     * no books is left out. It is one look-up for a page of a processor's list, also where companies are in shards.
     */
    readonly owners: (
      endToEndIds: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<OwnedPayment>, StoreUnavailable>
  }
>()("@pixcharge/core/ports/ChargeStore") {}
