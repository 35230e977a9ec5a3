import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ChargeId } from "../charges/rules/ChargeId.ts"
import type { Cents } from "../money/Money.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Recurrence } from "../recurrence/rules/Recurrence.ts"

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

/** The payer of recurrences, played by the sandbox. A processor that moves money has no such service. */
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
