import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { LocalDate } from "../model/calendar/LocalDate.ts"
import type { ChargeId } from "../model/charge/ChargeId.ts"
import type { RecurrenceId } from "../model/cycle/RecurrenceId.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { InvalidFilter, Page, PageRequest, Period } from "../runtime/page.ts"
import { legibleText } from "../runtime/storable.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"

const maxLength = 200

/**
 * Who makes a change, as the host names them: an id or a login of its own. Every record of a change names them.
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

/** The actor as it is recorded: the first 200 characters, as every store can keep and every page can show them; undefined if nobody is named. */
export const currentActor: Effect.Effect<string | undefined> = Effect.map(
  Effect.service(Actor),
  (actor) => legibleText((actor ?? "").slice(0, maxLength)) || undefined,
)

/** What is recorded of somebody who is named, and not of programs that do it all day; undefined if nobody is. */
export const ifNamed = <A>(record: A): Effect.Effect<A | undefined> =>
  Effect.map(currentActor, (actor) => (actor === undefined ? undefined : record))

/**
 * What was changed. No secret, no part or digest of one, and nothing of a payer is in it: of an endpoint's URL only the
 * host, of a note only whether there is one.
 */
export type AuditChange =
  | { readonly kind: "companyRegistered" | "resellerRegistered" }
  /** By a statement of the host's own: nothing of ours removes one. */
  | { readonly kind: "companyRemoved" | "resellerRemoved" }
  /** The facts that differ from before, by the names of `CompanyInput` and `ResellerInput`. */
  | { readonly kind: "companyChanged" | "resellerChanged"; readonly facts: ReadonlyArray<string> }
  /** Of a CNPJ that is a company and a reseller, each has a wallet. */
  | { readonly kind: "walletActivated" | "walletDeactivated"; readonly of: "company" | "reseller" }
  | { readonly kind: "associationBegun" | "associationEnded"; readonly reseller: string }
  | { readonly kind: "keySet" | "keyReplaced" | "keyRevoked" }
  | { readonly kind: "endpointSet" | "endpointRemoved"; readonly endpointId: string; readonly host: string }
  /** Its URL, its secrets or its kinds of events were changed. */
  | {
      readonly kind: "endpointReplaced"
      readonly endpointId: string
      readonly host: string
      /** The host before. */
      readonly hostBefore: string
    }
  /** Disabled by the receiver's 410, for which there is no actor. */
  | { readonly kind: "endpointPaused" | "endpointResumed" | "endpointDisabled"; readonly endpointId: string }
  | {
      readonly kind: "eventsReplayed"
      readonly deliveries: number
      /** What the person called the replay, if anything. */
      readonly name?: string
    }
  | { readonly kind: "testEventSent"; readonly endpointId: string; readonly eventId: string }
  /** Also when the same request is repeated, and where it is refused then. */
  | { readonly kind: "issueRequested"; readonly chargeId: ChargeId }
  /** Of the whole payment. Also when one that failed is asked for again. */
  | { readonly kind: "refundRequested"; readonly chargeId: ChargeId; readonly hasReason?: true }
  | { readonly kind: "chargeCancelled"; readonly chargeId: ChargeId }
  | { readonly kind: "recurrenceOffered" | "recurrenceEndRequested"; readonly recurrenceId: RecurrenceId }
  /** Of a variable amount, or again after a charge of the cycle that was cancelled or rejected. */
  | {
      readonly kind: "cycleCharged"
      readonly recurrenceId: RecurrenceId
      readonly cycle: number
      readonly amountCents: number
    }
  | { readonly kind: "cycleSkipped"; readonly recurrenceId: RecurrenceId; readonly cycle: number }
  /** A new attempt of a cycle's debit, on this day. */
  | { readonly kind: "retryRequested"; readonly chargeId: ChargeId; readonly on: LocalDate }
  /** Also when one that failed is asked for again. */
  | {
      readonly kind: "partialRefundRequested"
      readonly chargeId: ChargeId
      /** As the host named it. */
      readonly key: string
      readonly amountCents: number
      /** A reason was given; the refund has it, as long as no erasure has reached it. */
      readonly hasReason?: true
    }
  | { readonly kind: "exceptionRefundRequested"; readonly endToEndId: string; readonly hasReason?: true }
  | { readonly kind: "exceptionResolved"; readonly endToEndId: string; readonly hasNote: boolean }
  /** Somebody was shown the payer of a charge. */
  | { readonly kind: "payerShown"; readonly chargeId: ChargeId }
  /** How many charges and recurrences of one payer; whose is not recorded. Without recurrences, their number is absent. */
  | { readonly kind: "payerExported"; readonly charges: number; readonly recurrences?: number }
  /** The oldest of the charges and recurrences name the payer in restored books, where the erasure is made again. */
  | {
      readonly kind: "payerErased"
      readonly charges: number
      readonly recurrences?: number
      readonly oldestChargeId?: ChargeId
      readonly oldestRecurrenceId?: RecurrenceId
    }
  /** Both ends are epoch milliseconds. */
  | { readonly kind: "reconcileRequested"; readonly from: number; readonly until: number }

/** One change, who made it and when. */
export interface AuditRecord {
  /** Names the record. */
  readonly id: string
  /**
   * Epoch milliseconds: in production by the store's clock, for hosts' clocks differ, and in the sandbox of business time, which may
   * be moved. What a directory on Postgres records is always dated by the database.
   */
  readonly at: number
  /** The company or reseller that was changed. */
  readonly cnpj: Cnpj
  /** Who made the change, as the host named them; absent if it named nobody, or the change came of itself. */
  readonly by?: string
  readonly change: AuditChange
}

/** Which records to list; every field narrows. */
export interface AuditFilter {
  readonly kind?: AuditChange["kind"]
  readonly by?: string
  readonly period?: Period
  /** Those about one charge. */
  readonly chargeId?: ChargeId
  /** Those about one exception. */
  readonly endToEndId?: string
}

/**
 * Who changed registrations, keys, wallets, associations, endpoints and exceptions, who asked for refunds, who saw a payer,
 * and when. `pix.audit` and `pix.story` use it. Comes with the store, whose own writes and those of a directory on the same database
 * are recorded: each in the same write as its change, under `currentActor`, and only where something changed. A record is never
 * changed or deleted.
 *
 * What programs do all day is recorded only where somebody is named: refunds of whole payments, cancellations, test events,
 * comparisons, issuing charges, all of recurrences, and who saw a payer's data. An erasure is always recorded: after a restore it is made again. So an integrator's `DELETE` is not recorded. All else is recorded, with or
 * without a name.
 */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /**
     * The records of a company or reseller, newest first; those of one change are in no order. Fails with
     * `StoreUnavailable` if the store can't answer, and with `InvalidFilter` if the cursor comes from no page of the list.
     */
    readonly list: (
      cnpj: Cnpj,
      filter: AuditFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<AuditRecord>, StoreUnavailable | InvalidFilter | TooManyReports>
    /**
     * Records under `currentActor` what is no write of the store: that something was read or asked for. To be called before
     * the answer is given. Fails with `StoreUnavailable`.
     */
    readonly append: (cnpj: Cnpj, change: AuditChange) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pixcharge/core/ports/AuditLog") {}
