import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { LocalDate } from "../model/calendar/LocalDate.ts"
import type { CycleCharge, PendingCharge } from "../model/charge/Charge.ts"
import type { Company } from "../model/party/Company.ts"
import type { DebitView } from "../model/cycle/Debit.ts"
import type { Recurrence, RecurrenceView } from "../model/recurrence/Recurrence.ts"
import type { CancelOutcome, ProcessorView } from "./PaymentProcessor.ts"
import type { ProcessorRejected, ProcessorUnavailable } from "./portErrors.ts"

/**
 * The ids at the bank of other companies' recurrences that have the contract of this one: companies that share an account see each
 * other's. They are asked for only where the bank shows a recurrence of the contract.
 */
export type OtherBankIds = Effect.Effect<ReadonlyArray<string>, ProcessorUnavailable>

/** A recurrence to be made known to the bank. */
export interface RecurrenceOrder {
  readonly company: Company
  readonly recurrence: Recurrence
  /** No call for it was made before: the bank needn't be searched for its contract. */
  readonly isFresh?: true
  /** Its id at the bank, which a lookup has just shown: another one is never made. */
  readonly bankId?: string
  /** What an earlier call has made is none of these. */
  readonly others?: OtherBankIds
}

/** A cycle's charge, as the bank shows it. */
export interface CycleView extends ProcessorView {
  readonly debit: DebitView
}

/** A cycle's charge to be made known to the bank. */
export interface CycleOrder {
  readonly company: Company
  readonly charge: CycleCharge<PendingCharge>
}

/**
 * Who takes authorisations and debits of Pix Automático: a bank behind its API, or the sandbox. `Recurrences` uses it;
 * `processor-api-pix` and `processor-sandbox` provide it, and a processor is complete without it. Every write may be repeated:
 * what was carried out before is found, not made again. Every method fails with `ProcessorUnavailable` when no usable answer
 * comes; a write may then have been carried out or not. `ProcessorRejected` says that it was not, for good.
 */
export class RecurrenceProcessor extends Context.Service<
  RecurrenceProcessor,
  {
    /**
     * Makes the recurrence known, once by its contract: unless it is fresh, the bank is searched for that first. Journey "bank" sends
     * the payer's bank its request, too. Returns what the bank shows, with the code to authorise where there is one.
     */
    readonly offer: (order: RecurrenceOrder) => Effect.Effect<RecurrenceView, ProcessorUnavailable | ProcessorRejected>
    /** What the bank shows of it, by its id there or else by its contract, and none of `others`; undefined where it knows none. */
    readonly lookup: (
      recurrence: Recurrence,
      others?: OtherBankIds,
    ) => Effect.Effect<RecurrenceView | undefined, ProcessorUnavailable>
    /** Ends it at the bank; one that is over already is shown as it is. */
    readonly end: (
      recurrence: Recurrence & { readonly bankId: string },
    ) => Effect.Effect<RecurrenceView, ProcessorUnavailable | ProcessorRejected>
    /** Makes a cycle's charge known, once by its txid. Rejected where the txid has a charge of another recurrence or of other terms. */
    readonly charge: (order: CycleOrder) => Effect.Effect<void, ProcessorUnavailable | ProcessorRejected>
    /** What the bank shows of a cycle's charge: never taken from a list of payments, which needn't show them. */
    readonly lookupCharge: (charge: CycleCharge) => Effect.Effect<CycleView, ProcessorUnavailable>
    /** Takes a cycle's charge back; one that is over already counts as cancelled, a paid one is `Paid`. */
    readonly cancelCharge: (
      charge: CycleCharge,
    ) => Effect.Effect<CancelOutcome, ProcessorUnavailable | ProcessorRejected>
    /** Asks for a new attempt on a day, once by charge and day. */
    readonly retry: (
      charge: CycleCharge,
      on: LocalDate,
    ) => Effect.Effect<void, ProcessorUnavailable | ProcessorRejected>
  }
>()("@pixcharge/core/ports/RecurrenceProcessor") {}
