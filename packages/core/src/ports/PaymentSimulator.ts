import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { IssuedCharge, PaymentNotice } from "../charges/index.ts"
import type { ProcessorUnavailable, SimulationDeclined } from "../errors.ts"
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
     * Pays a pending charge and answers with the notices that a processor would send, none when they get lost. For a paid
     * charge it answers with those of the payments that it made before, and makes none.
     */
    readonly simulate: (
      charge: IssuedCharge,
      /** What is due today, with fine and interest. */
      amountDueCents: Cents,
    ) => Effect.Effect<ReadonlyArray<PaymentNotice>, SimulationDeclined | ProcessorUnavailable>
    /**
     * Makes further payments of this amount, in this way, whatever the cents of the charge and however often it was paid, and
     * answers with their notices. Each call pays anew.
     */
    readonly play: (
      charge: IssuedCharge,
      amountCents: Cents,
      outcome: PlayOutcome,
    ) => Effect.Effect<ReadonlyArray<PaymentNotice>, SimulationDeclined | ProcessorUnavailable>
  }
>()("@pixcharge/core/ports/PaymentSimulator") {}
