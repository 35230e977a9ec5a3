import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PaidCharge, PaymentNotice, PendingCharge } from "../charges/index.ts"
import type { SimulationDeclined } from "../charges/rules/paymentErrors.ts"
import type { ProcessorUnavailable } from "./portErrors.ts"
import type { Cents } from "../money/Money.ts"

/**
 * How a simulated payment goes: `approved`; `declined` by the payer's bank; `timesOut`, paid without an answer; `paidTwice`;
 * `paidLate`, after the promised moment; `noticeLost`, paid without a notice.
 */
export const playOutcomes = ["approved", "declined", "timesOut", "paidTwice", "paidLate", "noticeLost"] as const

/** One of `playOutcomes`. */
export type PlayOutcome = (typeof playOutcomes)[number]

/** Plays the payer, in the sandbox only: no production composition has this service (decision 17). */
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
