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

/** At most this many open charges of a recurrence are listed. */
export const maxOpenCharges = 10

/** What became of an insertion. */
export type RecurrenceInsertion =
  | { readonly _tag: "Inserted" }
  /** The id is taken in this company; the recurrence that has it is untouched. */
  | { readonly _tag: "Exists"; readonly recurrence: Recurrence }
  /** Another recurrence of the company has the contract. */
  | { readonly _tag: "ContractTaken" }

/** What one commit writes: all of it, or nothing. */
export interface RecurrenceChange {
  readonly issuer: Cnpj
  readonly id: RecurrenceId
  /** The version that was read; nothing is written unless the recurrence still has it. */
  readonly expectedVersion: number
  /** The recurrence after the move, its version one on. Its terms stay as they are stored. */
  readonly next: Recurrence
  /** When it is checked next; absent: never. Epoch milliseconds. */
  readonly checkAt?: number
  /**
   * A cycle's charge that is made with the move. Nothing is written if its id is taken, or if its cycle has another charge that is
   * neither cancelled nor rejected (`debit.status`): the store itself refuses a second one.
   */
  readonly charge?: CycleCharge<PendingCharge>
  readonly deliveries: ReadonlyArray<NewDelivery>
  /** Recorded with the move, under `currentActor`. */
  readonly audit?: AuditChange
}

/** Which recurrences to list; every field narrows. */
export interface RecurrenceFilter {
  readonly state?: Recurrence["_tag"]
  readonly payer?: TaxId
  /**
   * What people look for, as `readSoughtText` reads it: the payer's document, beginnings of words of their name, or the beginning of
   * the recurrence's id; or else its whole contract.
   */
  readonly text?: string
}

/** Recurrences by their ids at the bank, in their exact letters, and by charges of their cycles. At most 1000 of both. */
export interface NamedRecurrences {
  readonly bankIds: ReadonlyArray<string>
  readonly chargeIds: ReadonlyArray<ChargeId>
}

/** A recurrence whose check has come. */
export interface DueRecurrence {
  readonly recurrence: Recurrence
  /** When its check was due. Epoch milliseconds. */
  readonly dueAt: number
}

/**
 * Recurrences, and which charges their cycles have. Comes with the store; `Recurrences` and the `Reconciler` use it. The charges
 * themselves are in the `ChargeStore`, which moves them; this port only makes them, in one write with the recurrence's `nextCycle`. A
 * cycle never has two charges that are neither cancelled nor rejected. Every call names the company. Every method fails with
 * `StoreUnavailable`.
 */
export class RecurrenceStore extends Context.Service<
  RecurrenceStore,
  {
    /** Stores a new recurrence, or returns the one that has its id. `audit` is recorded where it was new. */
    readonly insert: (
      recurrence: RequestedRecurrence,
      checkAt: number,
      audit?: AuditChange,
    ) => Effect.Effect<RecurrenceInsertion, StoreUnavailable>
    readonly find: (issuer: Cnpj, id: RecurrenceId) => Effect.Effect<Recurrence | undefined, StoreUnavailable>
    /** The ids at the bank of other companies' recurrences that have this contract, also of ended ones. */
    readonly bankIdsOfOthers: (issuer: Cnpj, contract: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Compare-and-set; whether it was written. */
    readonly commit: (change: RecurrenceChange) => Effect.Effect<boolean, StoreUnavailable>
    /** The one created last first. */
    readonly list: (
      issuer: Cnpj,
      filter: RecurrenceFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<Recurrence>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** The charges of its cycles, as `ChargeStore.find` returns each: the last cycle first, and of a cycle the last generation. */
    readonly charges: (
      issuer: Cnpj,
      id: RecurrenceId,
      page: PageRequest,
    ) => Effect.Effect<Page<CycleCharge>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** The last charge of one cycle. */
    readonly lastCharge: (
      issuer: Cnpj,
      id: RecurrenceId,
      cycle: number,
    ) => Effect.Effect<CycleCharge | undefined, StoreUnavailable>
    /** Its charges that are pending and of which the bank has not said the last word (`debit.status`), by cycle; the last `maxOpenCharges` at most. */
    readonly openCharges: (
      issuer: Cnpj,
      id: RecurrenceId,
    ) => Effect.Effect<ReadonlyArray<CycleCharge<PendingCharge>>, StoreUnavailable>
    /**
     * Takes recurrences of any company whose check has come, the oldest check first (a store in shards: within each of them, which take
     * turns), and puts it to `now + leaseMs`, so that several processes don't double the work and a crash loses none. Then those whose
     * check lies more than `maxRecurrenceCheckMs` after `now`: a clock that ran ahead has set it.
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<DueRecurrence>, StoreUnavailable>
    /** Makes all of the company's recurrences due at `checkAt` that a notice names, as `schedule` without a version does. */
    readonly scheduleNamed: (
      issuer: Cnpj,
      named: NamedRecurrences,
      checkAt: number,
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Sets when it is checked next, in epoch milliseconds; undefined: never. A check that was made names the `version` that it has
     * seen, and sets nothing once that has changed. Without one there is a reason of which a check under way can't know: the version
     * goes one on, so that the moment stays.
     */
    readonly schedule: (
      issuer: Cnpj,
      id: RecurrenceId,
      checkAt: number | undefined,
      version?: number,
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pixcharge/core/ports/RecurrenceStore") {}
