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
 * The bank's ids of other companies' recurrences with the same contract, because companies can share an account. Evaluated only
 * if the bank shows a recurrence of the contract.
 */
export type OtherBankIds = Effect.Effect<ReadonlyArray<string>, ProcessorUnavailable>

export interface RecurrenceOrder {
  readonly company: Company
  readonly recurrence: Recurrence
  /** The first call for this recurrence. */
  readonly isFresh?: true
  /** The recurrence's id at the bank, from a look-up just made. */
  readonly bankId?: string
  /** Ids that can't come from an earlier call for this recurrence. */
  readonly others?: OtherBankIds
}

export interface CycleView extends ProcessorView {
  readonly debit: DebitView
}

export interface CycleOrder {
  readonly company: Company
  readonly charge: CycleCharge<PendingCharge>
}

/**
 * Authorisations and debits of Pix Automático, at a bank behind its API or in the sandbox. Provided by `processor-api-pix` and
 * `processor-sandbox`; optional for a processor. Every write can be repeated: the processor finds its earlier result. Every
 * method fails with `ProcessorUnavailable` if it gets no usable answer; its write can still have taken effect. After
 * `ProcessorRejected`, it never takes effect.
 */
export class RecurrenceProcessor extends Context.Service<
  RecurrenceProcessor,
  {
    /**
     * Registers the recurrence, once by its contract: unless `isFresh`, it searches the bank for that first. Journey "bank" also
     * sends the request to the payer's bank. Returns the bank's view, with any code to authorise.
     */
    readonly offer: (order: RecurrenceOrder) => Effect.Effect<RecurrenceView, ProcessorUnavailable | ProcessorRejected>
    /** Finds the recurrence by the bank's id, otherwise by its contract; ignores the recurrences in `others`. */
    readonly lookup: (
      recurrence: Recurrence,
      others?: OtherBankIds,
    ) => Effect.Effect<RecurrenceView | undefined, ProcessorUnavailable>
    /** Ends the recurrence. Returns it unchanged if it is already over. */
    readonly end: (
      recurrence: Recurrence & { readonly bankId: string },
    ) => Effect.Effect<RecurrenceView, ProcessorUnavailable | ProcessorRejected>
    /**
     * Registers a cycle's charge, once by its txid. `ProcessorRejected` if the txid has a charge of another recurrence or with
     * other terms.
     */
    readonly charge: (order: CycleOrder) => Effect.Effect<void, ProcessorUnavailable | ProcessorRejected>
    /** Looks up the charge itself, because a list of payments can lack such charges. */
    readonly lookupCharge: (charge: CycleCharge) => Effect.Effect<CycleView, ProcessorUnavailable>
    /** Cancels a cycle's charge. A charge that is already over counts as cancelled; a paid charge gives `Paid`. */
    readonly cancelCharge: (
      charge: CycleCharge,
    ) => Effect.Effect<CancelOutcome, ProcessorUnavailable | ProcessorRejected>
    /** Requests a new attempt, once by charge and day. */
    readonly retry: (
      charge: CycleCharge,
      on: LocalDate,
    ) => Effect.Effect<void, ProcessorUnavailable | ProcessorRejected>
  }
>()("@pixcharge/core/ports/RecurrenceProcessor") {}
