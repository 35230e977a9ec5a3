import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"
import type { Cnpj } from "../party/Cnpj.ts"

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

/** How much a company has within a period. Comes with the store; nothing of a payer is in it. */
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
