import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { LocalDate } from "../model/calendar/LocalDate.ts"
import type { Charge, ChargeStatus, Payment, Return } from "../model/charge/index.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { InvalidFilter, Page, PageRequest, Period } from "../runtime/page.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"

/** Which charges to list: those created within the period, and of these only what the other fields say. */
export interface ChargeSearch extends Period {
  /** Those with this status at this moment of business time, in epoch milliseconds. */
  readonly status?: { readonly is: ChargeStatus; readonly at: number }
  /** Those whose amount lies between both, which are included, in cents. */
  readonly amount?: { readonly minCents: number; readonly maxCents: number }
  /** Those due on one of these days, of which both are included; none that is due on no day. */
  readonly due?: { readonly from: LocalDate; readonly until: LocalDate }
  /** Those that were settled by a payment made within this period. */
  readonly paid?: Period
  /**
   * Those of which it is the beginning of the id, the txid, the transaction id, a payment's endToEndId or a word of the payer's name
   * (and of further words of it), or the whole of the payer's document, of the amount or of that of a payment made within the
   * period: as `readSoughtText` reads it.
   */
  readonly text?: string
}

/**
 * The lists of what a company has: its charges, payments and returns. Comes with the store; `pix.charges`, `pix.payments` and the
 * `Reconciler` use it. Pages miss and repeat nothing while rows are added. Every method fails with `StoreUnavailable` if the store
 * can't answer, and those that have pages with `InvalidFilter` if the cursor comes from no page of the list; what is no look-up by
 * key also with `TooManyReports`, where its company asks for more at once than the store has places for (decision 58).
 */
export class ChargeLists extends Context.Service<
  ChargeLists,
  {
    /** The charges that are looked for, newest first. */
    readonly charges: (
      issuer: Cnpj,
      search: ChargeSearch,
      page: PageRequest,
    ) => Effect.Effect<Page<Charge>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** The payments made within the period, oldest first and then by endToEndId, matched or not. */
    readonly payments: (
      issuer: Cnpj,
      period: Period,
      page: PageRequest,
    ) => Effect.Effect<Page<Payment>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** One payment, matched or not; undefined if it isn't recorded. */
    readonly payment: (issuer: Cnpj, endToEndId: string) => Effect.Effect<Payment | undefined, StoreUnavailable>
    /** Some payments, of at most 1000, matched or not, in any order: those that are recorded, each once. */
    readonly paymentsById: (
      issuer: Cnpj,
      endToEndIds: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<Payment>, StoreUnavailable>
    /** The payments made within a moment, of at most 1000, matched or not, oldest first; for what moves money, and no report. */
    readonly paymentsAt: (issuer: Cnpj, moment: Period) => Effect.Effect<ReadonlyArray<Payment>, StoreUnavailable>
    /** All returns of some payments, of at most 1000 of these, whenever they were made: each once, oldest first. */
    readonly returnsOf: (
      issuer: Cnpj,
      endToEndIds: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<Return>, StoreUnavailable>
    /** The returns made within the period, oldest first. */
    readonly returns: (
      issuer: Cnpj,
      period: Period,
      page: PageRequest,
    ) => Effect.Effect<Page<Return>, StoreUnavailable | InvalidFilter | TooManyReports>
  }
>()("@pixcharge/core/ports/ChargeLists") {}

/** What is counted, and by which moment it lies in a slot. */
export type Counted =
  /** Payments, matched or not, by when they were made; the sum is their cents. */
  | "payment"
  /** Returns, by when they were made; the sum is their cents. */
  | "return"
  /** Payments that settled no charge and are neither wholly returned nor resolved by now, by when they were made. */
  | "openException"
  /** Charges, by when they were created. */
  | "issued"
  /**
   * Of these: those that had their payment, returned or not, those that expired unpaid, those whose debit the bank has given up, and
   * those that were cancelled.
   */
  | "paid"
  | "expired"
  | "failed"
  | "cancelled"
  /** Deliveries by where they stand, by the moment of their event; the sum is their attempts that failed (`DeliveryRecord.attempts`). */
  | "waiting"
  | "delivered"
  | "dead"
  | "superseded"

/** How much of one kind lies in one slot. */
export interface SlotCount {
  readonly counted: Counted | "age"
  /** The number of the slot, from 0; of an age, how many of the `ages` it reaches. */
  readonly slot: number
  readonly count: number
  /** 0 where nothing is summed. */
  readonly sum: number
}

/** What is to be counted. */
export interface CountRequest {
  /** Where each slot begins and, last, where the period ends: ascending, at least two. Epoch milliseconds. */
  readonly bounds: ReadonlyArray<number>
  /** Ages at payment, in milliseconds, ascending: paid charges are counted by how many of them they reach. */
  readonly ages: ReadonlyArray<number>
  /** Now, by which a charge has expired. Epoch milliseconds. */
  readonly now: number
}

/**
 * How much a company has within a period: exactly what the lists show, and nothing of a payer. Comes with the store; `PixReports` uses it.
 */
export class ChargeCounts extends Context.Service<
  ChargeCounts,
  {
    /**
     * The counts of a period by slots of time; those that are 0 are left out. `age` counts the charges created within the
     * period that had their payment, by the time from their creation to it. Reads what lies in the period. Fails with
     * `StoreUnavailable`, and with `TooManyReports` where its company asks for more at once than it has places for.
     */
    readonly count: (
      issuer: Cnpj,
      request: CountRequest,
    ) => Effect.Effect<ReadonlyArray<SlotCount>, StoreUnavailable | TooManyReports>
  }
>()("@pixcharge/core/ports/ChargeCounts") {}
