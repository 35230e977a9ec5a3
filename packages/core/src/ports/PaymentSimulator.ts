import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ChargeId } from "../model/charge/ChargeId.ts"
import type { PaidCharge, PaymentNotice, PendingCharge } from "../model/charge/index.ts"
import type { SimulationDeclined } from "../model/charge/paymentErrors.ts"
import type { Cents } from "../model/money/Money.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { Recurrence } from "../model/recurrence/Recurrence.ts"
import type { ProcessorUnavailable } from "./portErrors.ts"

/**
 * Outcomes of a simulated payment: `approved`; `declined` by the payer's bank; `timesOut`, paid without an answer; `paidTwice`;
 * `paidLate`, after `payableUntil`; `noticeLost`, paid without a notice.
 */
export const playOutcomes = ["approved", "declined", "timesOut", "paidTwice", "paidLate", "noticeLost"] as const

export type PlayOutcome = (typeof playOutcomes)[number]

/** Plays the payer, only in the sandbox (decision 17). Provided by `processor-sandbox`. */
export class PaymentSimulator extends Context.Service<
  PaymentSimulator,
  {
    /**
     * Pays a pending charge and returns the processor's notices, except lost ones. For a paid charge, returns the earlier
     * notices.
     */
    readonly simulate: (
      charge: PendingCharge | PaidCharge,
      /** The amount due today, with fine and interest. */
      amountDueCents: Cents,
    ) => Effect.Effect<ReadonlyArray<PaymentNotice>, SimulationDeclined | ProcessorUnavailable>
    /**
     * Makes a further payment, and returns its notices. The amount can differ from the charge's, and the charge can be paid
     * already. Each call pays again.
     */
    readonly play: (
      charge: PendingCharge | PaidCharge,
      amountCents: Cents,
      outcome: PlayOutcome,
    ) => Effect.Effect<ReadonlyArray<PaymentNotice>, SimulationDeclined | ProcessorUnavailable>
  }
>()("@pixcharge/core/ports/PaymentSimulator") {}

/** The sandbox payer's acts on a recurrence, besides setting a maximum. */
export const recurrenceActs = ["approve", "decline", "cancel", "expire"] as const

/** `expire`: the payer lets the offer time out. A maximum applies to cycles charged afterwards. */
export type RecurrencePlay = (typeof recurrenceActs)[number] | { readonly maximumCents: Cents }

/**
 * Outcomes of a day's debit attempts: paid in the night, or in the evening; no balance at both times; above the payer's maximum
 * (AM02); account closed (AC05).
 */
export const debitOutcomes = ["paid", "paidInEvening", "noBalance", "aboveMaximum", "accountClosed"] as const

export type DebitOutcome = (typeof debitOutcomes)[number]

/** Plays the payer of recurrences. Provided by `processor-sandbox`. */
export class RecurrenceSimulator extends Context.Service<
  RecurrenceSimulator,
  {
    /** Returns false if the recurrence's state at its bank doesn't allow the act. */
    readonly play: (recurrence: Recurrence, play: RecurrencePlay) => Effect.Effect<boolean>
    /** The bank's ids of the recurrences that a payment of this charge can authorise. The bank sends a notice of them. */
    readonly authorisedBy: (issuer: Cnpj, chargeId: ChargeId) => Effect.Effect<ReadonlyArray<string>>
    /**
     * Sets the outcome of the next day's attempts; a further call sets the day after. Default: paid. Returns false if there can
     * be no such day: the bank doesn't know the recurrence, or it is over and has no charge that waits for a debit.
     */
    readonly playDebit: (recurrence: Recurrence, outcome: DebitOutcome) => Effect.Effect<boolean>
  }
>()("@pixcharge/core/ports/RecurrenceSimulator") {}
