import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { IssuedCharge } from "../charge/decideRepeat.ts"
import type { PaymentNotice } from "../charge/PaymentNotice.ts"
import type { ProcessorUnavailable, SimulationDeclined } from "../errors.ts"
import type { Cents } from "../money/Money.ts"

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
  }
>()("@pixcharge/core/ports/PaymentSimulator") {}
