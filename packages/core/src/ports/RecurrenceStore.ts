import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CycleCharge, PendingCharge } from "../model/charge/Charge.ts"
import type { ChargeId } from "../model/charge/ChargeId.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { TaxId } from "../model/party/TaxId.ts"
import type { RequestedRecurrence, Recurrence } from "../model/recurrence/Recurrence.ts"
import type { RecurrenceId } from "../model/cycle/RecurrenceId.ts"
import type { InvalidFilter, Page, PageRequest } from "../runtime/page.ts"
import type { AuditChange } from "./AuditLog.ts"
import type { NewDelivery } from "./ChargeStore.ts"
import type { ClaimRequest } from "./DueChecks.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"

/** Maximum number of listed open charges of a recurrence. */
export const maxOpenCharges = 10

export type RecurrenceInsertion =
  | { readonly _tag: "Inserted" }
  | { readonly _tag: "Exists"; readonly recurrence: Recurrence }
  | { readonly _tag: "ContractTaken" }

export interface RecurrenceChange {
  readonly issuer: Cnpj
  readonly id: RecurrenceId
  /** The commit needs this version. */
  readonly expectedVersion: number
  /** Has the next version. Its terms aren't written: the stored terms stay. */
  readonly next: Recurrence
  /** Time of the next check in epoch milliseconds; absent: never. */
  readonly checkAt?: number
  /**
   * A cycle's charge, made with the move. The store rejects the whole commit if the id is taken, or if the cycle has another
   * charge that is neither cancelled nor rejected (`debit.status`).
   */
  readonly charge?: CycleCharge<PendingCharge>
  readonly deliveries: ReadonlyArray<NewDelivery>
  /** Recorded with the move, under `currentActor`. */
  readonly audit?: AuditChange
}

/** Every given field must match. */
export interface RecurrenceFilter {
  readonly state?: Recurrence["_tag"]
  readonly payer?: TaxId
  /**
   * A search text, parsed by `readSoughtText`: the payer's tax id, beginnings of words of their name, the beginning of the
   * recurrence's id, or the whole contract.
   */
  readonly text?: string
}

/** Names recurrences by their ids at the bank (case-sensitive) and by charges of their cycles, at most 1000 in all. */
export interface NamedRecurrences {
  readonly bankIds: ReadonlyArray<string>
  readonly chargeIds: ReadonlyArray<ChargeId>
}

export interface DueRecurrence {
  readonly recurrence: Recurrence
  /** When the recurrence's check was due. Epoch milliseconds. */
  readonly dueAt: number
}

/**
 * Recurrences, and the charges of their cycles. Comes with the store. A commit makes a cycle's charge in one write with the
 * recurrence's `nextCycle`; the `ChargeStore` keeps and moves it. A cycle never has two charges that are neither cancelled nor
 * rejected. Every call except `claim` names the company. Every method fails with `StoreUnavailable`.
 */
export class RecurrenceStore extends Context.Service<
  RecurrenceStore,
  {
    /** Stores a new recurrence, or returns the existing one with its id. Records `audit` only for a new recurrence. */
    readonly insert: (
      recurrence: RequestedRecurrence,
      checkAt: number,
      audit?: AuditChange,
    ) => Effect.Effect<RecurrenceInsertion, StoreUnavailable>
    readonly find: (issuer: Cnpj, id: RecurrenceId) => Effect.Effect<Recurrence | undefined, StoreUnavailable>
    /** Bank ids of other companies' recurrences with this contract, including ended recurrences. */
    readonly bankIdsOfOthers: (issuer: Cnpj, contract: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** True if a recurrence that hasn't ended is offered with this charge (`journey.chargeId`). */
    readonly isOffered: (issuer: Cnpj, chargeId: ChargeId) => Effect.Effect<boolean, StoreUnavailable>
    /** Compare-and-set by version. True if the change was written. */
    readonly commit: (change: RecurrenceChange) => Effect.Effect<boolean, StoreUnavailable>
    /** Recurrences, newest first. */
    readonly list: (
      issuer: Cnpj,
      filter: RecurrenceFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<Recurrence>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** Charges of the recurrence's cycles: latest cycle first, and within a cycle the latest generation. */
    readonly charges: (
      issuer: Cnpj,
      id: RecurrenceId,
      page: PageRequest,
    ) => Effect.Effect<Page<CycleCharge>, StoreUnavailable | InvalidFilter | TooManyReports>
    readonly lastCharge: (
      issuer: Cnpj,
      id: RecurrenceId,
      cycle: number,
    ) => Effect.Effect<CycleCharge | undefined, StoreUnavailable>
    /** The recurrence's pending charges whose `debit.status` isn't final, by cycle; the latest `maxOpenCharges` at most. */
    readonly openCharges: (
      issuer: Cnpj,
      id: RecurrenceId,
    ) => Effect.Effect<ReadonlyArray<CycleCharge<PendingCharge>>, StoreUnavailable>
    /**
     * Claims recurrences of any company whose check is due, oldest check first (a store in shards takes turns among them), and
     * moves the check to `now + leaseMs`. Then claims checks more than `maxRecurrenceCheckMs` after `now`, which a fast clock has
     * set.
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<DueRecurrence>, StoreUnavailable>
    /** Makes the named recurrences due at `checkAt`, like `schedule` without a version. */
    readonly scheduleNamed: (
      issuer: Cnpj,
      named: NamedRecurrences,
      checkAt: number,
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Sets the next check, in epoch milliseconds; undefined means never. After a check, pass the `version` that it read: a
     * changed version then keeps the stored `checkAt`. A call without a version raises the version, so a check under way can't
     * overwrite `checkAt`.
     */
    readonly schedule: (
      issuer: Cnpj,
      id: RecurrenceId,
      checkAt: number | undefined,
      version?: number,
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pixcharge/core/ports/RecurrenceStore") {}
