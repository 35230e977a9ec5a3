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
 * How a simulated payment goes: `approved`; `declined` by the payer's bank; `timesOut`, paid without an answer; `paidTwice`;
 * `paidLate`, after the promised moment; `noticeLost`, paid without a notice.
 */
export const playOutcomes = ["approved", "declined", "timesOut", "paidTwice", "paidLate", "noticeLost"] as const

/** One of `playOutcomes`. */
export type PlayOutcome = (typeof playOutcomes)[number]

/**
 * Plays the payer, in the sandbox only: no production composition has this service (decision 17). `PaymentSimulation` uses it;
 * `processor-sandbox` provides it.
 */
export class PaymentSimulator extends Context.Service<
  PaymentSimulator,
  {
    /**
     * Pays a pending charge and returns the notices that a processor would send, none when they get lost. For a paid
     * charge it returns those of the payments that it made before, and makes none.
     */
    readonly simulate: (
      charge: PendingCharge | PaidCharge,
      /** What is due today, with fine and interest. */
      amountDueCents: Cents,
    ) => Effect.Effect<ReadonlyArray<PaymentNotice>, SimulationDeclined | ProcessorUnavailable>
    /**
     * Makes further payments of this amount, in this way, with any cents of the charge and however often it was paid, and
     * returns their notices. Each call pays again.
     */
    readonly play: (
      charge: PendingCharge | PaidCharge,
      amountCents: Cents,
      outcome: PlayOutcome,
    ) => Effect.Effect<ReadonlyArray<PaymentNotice>, SimulationDeclined | ProcessorUnavailable>
  }
>()("@pixcharge/core/ports/PaymentSimulator") {}

/** What a payer of the sandbox can do about a recurrence, besides setting a maximum. */
export const recurrenceActs = ["approve", "decline", "cancel", "expire"] as const

/** What the payer does; `expire`: nothing, until the time of the offer is over. A maximum holds for cycles charged afterwards. */
export type RecurrencePlay = (typeof recurrenceActs)[number] | { readonly maximumCents: Cents }

/**
 * How the attempts of one day end: paid in the night, or in the evening; without money in the account, both times; refused for an
 * amount above the payer's maximum (AM02), or because the account is closed (AC05).
 */
export const debitOutcomes = ["paid", "paidInEvening", "noBalance", "aboveMaximum", "accountClosed"] as const

export type DebitOutcome = (typeof debitOutcomes)[number]

/** The payer of recurrences, played by `processor-sandbox` alone; `SandboxPix` uses it. */
export class RecurrenceSimulator extends Context.Service<
  RecurrenceSimulator,
  {
    /** Plays the payer; whether that was possible, as the recurrence stands at its bank. */
    readonly play: (recurrence: Recurrence, play: RecurrencePlay) => Effect.Effect<boolean>
    /** The recurrences, by their ids at the bank, that a payment of this charge may have authorised: of these a bank sends a notice. */
    readonly authorisedBy: (issuer: Cnpj, chargeId: ChargeId) => Effect.Effect<ReadonlyArray<string>>
    /**
     * How the next day's attempts of the recurrence's debits end; each call is about one more day. By default they are paid. Whether
     * there can be such a day: its bank knows the recurrence, and it isn't over there, or one of its charges is still to be debited.
     */
    readonly playDebit: (recurrence: Recurrence, outcome: DebitOutcome) => Effect.Effect<boolean>
  }
>()("@pixcharge/core/ports/RecurrenceSimulator") {}
