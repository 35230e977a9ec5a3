import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { LocalDate } from "../model/calendar/LocalDate.ts"
import type { Charge, ChargeStatus, Payment, Return } from "../model/charge/index.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { InvalidFilter, Page, PageRequest, Period } from "../runtime/page.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"

/** Selects charges that were created within the period and match every other given field. */
export interface ChargeSearch extends Period {
  /** Status at the moment `at`, in epoch milliseconds of business time. */
  readonly status?: { readonly is: ChargeStatus; readonly at: number }
  /** Inclusive bounds. */
  readonly amount?: { readonly minCents: number; readonly maxCents: number }
  /** Inclusive bounds; excludes charges without a due date. */
  readonly due?: { readonly from: LocalDate; readonly until: LocalDate }
  /** Charges settled by a payment made within this period. */
  readonly paid?: Period
  /**
   * A search text, parsed by `readSoughtText`: the beginning of the id, the txid, the transaction id, a payment's endToEndId or
   * words of the payer's name; or the whole reference, tax id, amount, or amount of a payment within the period.
   */
  readonly text?: string
}

/**
 * Lists of a company's charges, payments and returns. Comes with the store. Rows added while a caller pages are neither missed
 * nor repeated. Every method fails with `StoreUnavailable`. A paged list also fails with `InvalidFilter` if the cursor comes from
 * no page of it, and with `TooManyReports` if the company requests more at once than the store has places for (decision 58).
 * Look-ups by key never fail with `TooManyReports`.
 */
export class ChargeLists extends Context.Service<
  ChargeLists,
  {
    /** Charges, newest first. */
    readonly charges: (
      issuer: Cnpj,
      search: ChargeSearch,
      page: PageRequest,
    ) => Effect.Effect<Page<Charge>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** Payments, matched or not, by time and then by endToEndId, oldest first. */
    readonly payments: (
      issuer: Cnpj,
      period: Period,
      page: PageRequest,
    ) => Effect.Effect<Page<Payment>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** Matched or not; undefined if the payment isn't recorded. */
    readonly payment: (issuer: Cnpj, endToEndId: string) => Effect.Effect<Payment | undefined, StoreUnavailable>
    /** The payment with this id in the books' letters, in capitals or in small letters, because receipts differ from banks. */
    readonly paymentInAnyCase: (
      issuer: Cnpj,
      endToEndId: string,
    ) => Effect.Effect<Payment | undefined, StoreUnavailable>
    /** Payments with these ids, at most 1000: matched or not, each once, in any order. */
    readonly paymentsById: (
      issuer: Cnpj,
      endToEndIds: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<Payment>, StoreUnavailable>
    /** Payments, matched or not, by their time: oldest first, at most 1000. Never fails with `TooManyReports`. */
    readonly paymentsAt: (issuer: Cnpj, moment: Period) => Effect.Effect<ReadonlyArray<Payment>, StoreUnavailable>
    /** All returns of at most 1000 payments, each once, oldest first. */
    readonly returnsOf: (
      issuer: Cnpj,
      endToEndIds: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<Return>, StoreUnavailable>
    /** Returns, by their time: oldest first. */
    readonly returns: (
      issuer: Cnpj,
      period: Period,
      page: PageRequest,
    ) => Effect.Effect<Page<Return>, StoreUnavailable | InvalidFilter | TooManyReports>
  }
>()("@pixcharge/core/ports/ChargeLists") {}

export type Counted =
  /** Payments, matched or not, by their time; `sum` is in cents. */
  | "payment"
  /** Returns, by their time; `sum` is in cents. */
  | "return"
  /** Neither wholly returned nor resolved, by the payment's time. */
  | "openException"
  /** Charges, by their creation. */
  | "issued"
  /** Parts of `issued`. Paid counts returned ones; failed: the bank gave up the debit. */
  | "paid"
  | "expired"
  | "failed"
  | "cancelled"
  /** Deliveries by status and event time; `sum` is the number of failed attempts (`DeliveryRecord.attempts`). */
  | "waiting"
  | "delivered"
  | "dead"
  | "superseded"

export interface SlotCount {
  readonly counted: Counted | "age"
  /** The slot's number, from 0; for `age`, the number of `ages` reached. */
  readonly slot: number
  readonly count: number
  /** 0 for kinds without a sum. */
  readonly sum: number
}

export interface CountRequest {
  /** Beginnings of the slots, then the end of the period: ascending, at least two. Epoch milliseconds. */
  readonly bounds: ReadonlyArray<number>
  /** Ages at payment, in milliseconds, ascending. A paid charge is counted under the number of ages that it reached. */
  readonly ages: ReadonlyArray<number>
  /** Decides whether a charge has expired. Epoch milliseconds. */
  readonly now: number
}

/** A company's counts within a period, equal to its lists and without payer data. Comes with the store. */
export class ChargeCounts extends Context.Service<
  ChargeCounts,
  {
    /**
     * Counts by slot of time, without counts of 0. `age` counts charges created within the period by the time until their
     * payment. Fails with `StoreUnavailable`, and with `TooManyReports` if the company requests more at once than the store has
     * places for.
     */
    readonly count: (
      issuer: Cnpj,
      request: CountRequest,
    ) => Effect.Effect<ReadonlyArray<SlotCount>, StoreUnavailable | TooManyReports>
  }
>()("@pixcharge/core/ports/ChargeCounts") {}
