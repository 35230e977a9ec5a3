import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { LocalDate } from "../model/calendar/LocalDate.ts"
import type { ChargeId } from "../model/charge/ChargeId.ts"
import type { CycleRange } from "../model/cycle/CycleRange.ts"
import type { RecurrenceId } from "../model/cycle/RecurrenceId.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { InvalidFilter, Page, PageRequest, Period } from "../runtime/page.ts"
import { legibleText } from "../runtime/storable.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"

const maxLength = 200

/**
 * The person who makes a change: the host's own id or login for them.
 *
 * @example
 * ```ts
 * import { Actor, DirectoryAdmin } from "@pixcharge/core"
 * import * as Effect from "effect/Effect"
 *
 * const block = (cnpj: string, by: string) =>
 *   Effect.flatMap(DirectoryAdmin, (admin) => admin.setWallet(cnpj, false)).pipe(Effect.provideService(Actor, by))
 * ```
 */
export const Actor = Context.Reference<string | undefined>("@pixcharge/core/ports/Actor", {
  defaultValue: () => undefined,
})

/** The actor's first 200 characters, safe for every store and page. */
export const currentActor: Effect.Effect<string | undefined> = Effect.map(
  Effect.service(Actor),
  (actor) => legibleText((actor ?? "").slice(0, maxLength)) || undefined,
)

export const ifNamed = <A>(record: A): Effect.Effect<A | undefined> =>
  Effect.map(currentActor, (actor) => (actor === undefined ? undefined : record))

/** A change, without payer data, secrets, or parts or digests of secrets. */
export type AuditChange =
  | { readonly kind: "companyRegistered" | "resellerRegistered" }
  /** By the host's own SQL statement, never by pixcharge. */
  | { readonly kind: "companyRemoved" | "resellerRemoved" }
  /** The changed facts, by the names of `CompanyInput` and `ResellerInput`. */
  | { readonly kind: "companyChanged" | "resellerChanged"; readonly facts: ReadonlyArray<string> }
  /** A CNPJ can be both a company and a reseller, each with its own wallet. */
  | { readonly kind: "walletActivated" | "walletDeactivated"; readonly of: "company" | "reseller" }
  | { readonly kind: "associationBegun" | "associationEnded"; readonly reseller: string }
  | { readonly kind: "keySet" | "keyReplaced" | "keyRevoked" }
  | { readonly kind: "endpointSet" | "endpointRemoved"; readonly endpointId: string; readonly host: string }
  /** The endpoint's URL, secrets or kinds of events changed. */
  | {
      readonly kind: "endpointReplaced"
      readonly endpointId: string
      readonly host: string
      /** The URL's host before the change. */
      readonly hostBefore: string
    }
  /** `endpointDisabled` comes from the receiver's 410 and has no actor. */
  | { readonly kind: "endpointPaused" | "endpointResumed" | "endpointDisabled"; readonly endpointId: string }
  | {
      readonly kind: "eventsReplayed"
      readonly deliveries: number
      readonly name?: string
    }
  | { readonly kind: "testEventSent"; readonly endpointId: string; readonly eventId: string }
  /** Also recorded for repeated and refused requests. */
  | { readonly kind: "issueRequested"; readonly chargeId: ChargeId }
  /** Of the whole payment; also a failed refund requested again. */
  | { readonly kind: "refundRequested"; readonly chargeId: ChargeId; readonly hasReason?: true }
  | { readonly kind: "chargeCancelled"; readonly chargeId: ChargeId }
  /** `key` is the host's own key of the change. */
  | { readonly kind: "chargeChanged"; readonly chargeId: ChargeId; readonly key: string }
  | { readonly kind: "recurrenceOffered" | "recurrenceEndRequested"; readonly recurrenceId: RecurrenceId }
  /** A charge of a variable amount, or a further charge of a cycle after a cancelled or rejected one. */
  | {
      readonly kind: "cycleCharged"
      readonly recurrenceId: RecurrenceId
      readonly cycle: number
      readonly amountCents: number
    }
  | { readonly kind: "cyclesSkipped"; readonly recurrenceId: RecurrenceId; readonly cycles: CycleRange }
  /** A new attempt of a cycle's debit on this day. */
  | { readonly kind: "retryRequested"; readonly chargeId: ChargeId; readonly on: LocalDate }
  /** Also recorded when a failed refund is requested again. */
  | {
      readonly kind: "partialRefundRequested"
      readonly chargeId: ChargeId
      /** The host's key of the partial refund. */
      readonly key: string
      readonly amountCents: number
      readonly hasReason?: true
    }
  | { readonly kind: "exceptionRefundRequested"; readonly endToEndId: string; readonly hasReason?: true }
  | { readonly kind: "exceptionResolved"; readonly endToEndId: string; readonly hasNote: boolean }
  | { readonly kind: "payerShown"; readonly chargeId: ChargeId }
  /** The payer isn't recorded. `recurrences` is absent instead of 0. */
  | { readonly kind: "payerExported"; readonly charges: number; readonly recurrences?: number }
  /** The oldest erased charge and recurrence name the payer in restored books, so the erasure can be repeated. */
  | {
      readonly kind: "payerErased"
      readonly charges: number
      readonly recurrences?: number
      readonly oldestChargeId?: ChargeId
      readonly oldestRecurrenceId?: RecurrenceId
      /** The charges kept their reference and metadata. */
      readonly keepReference?: true
    }
  /** `from` and `until` are in epoch milliseconds. */
  | { readonly kind: "reconcileRequested"; readonly from: number; readonly until: number }

export interface AuditRecord {
  readonly id: string
  /**
   * Epoch milliseconds, in production by the store's clock. In the sandbox business time; a directory on Postgres always records
   * the database's time.
   */
  readonly at: number
  readonly cnpj: Cnpj
  /** The actor. Absent if the host named no actor, or the change has no actor. */
  readonly by?: string
  readonly change: AuditChange
}

/** Every given field must match. */
export interface AuditFilter {
  readonly kind?: AuditChange["kind"]
  readonly by?: string
  readonly period?: Period
  readonly chargeId?: ChargeId
  readonly endToEndId?: string
}

/**
 * Records changes of registrations, keys, wallets, associations, endpoints and exceptions, requested refunds and views of a
 * payer, with actor and time. Comes with the store. Each write of the store, or of a directory on the same database, records its
 * change under `currentActor`, unless it changes no value. Records are never changed or deleted.
 *
 * Without an actor, these aren't recorded: refunds of whole payments (an integrator's `DELETE`), cancellations, test events,
 * comparisons, issued and changed charges, changes of recurrences, and reads of a payer's data. An erasure always is, because it is repeated
 * after a restore.
 */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /**
     * Records of a company or reseller, newest first; records of one change are in any order. Fails with `StoreUnavailable`, and
     * with `InvalidFilter` if the cursor comes from no page of the list.
     */
    readonly list: (
      cnpj: Cnpj,
      filter: AuditFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<AuditRecord>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** Records a read or a request under `currentActor`. Call it before giving the answer. Fails with `StoreUnavailable`. */
    readonly append: (cnpj: Cnpj, change: AuditChange) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pixcharge/core/ports/AuditLog") {}
