import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PaidCharge, PendingCharge } from "../charge/Charge.ts"
import type { PaymentNotice } from "../charge/PaymentNotice.ts"
import type { ProcessorUnavailable, SimulationDeclined } from "../errors.ts"
import type { Cents } from "../money/Money.ts"

/** Plays the payer, in the sandbox only: no production composition has this service (decision 17). */
export class PaymentSimulator extends Context.Service<
  PaymentSimulator,
  {
    /**
     * Pays the charge and answers with the notices that a processor would send, none when they get lost. For a charge that
     * is paid already it makes no payment: it answers with those that it made before, whose notices may not have arrived.
     */
    readonly simulate: (
      charge: PendingCharge | PaidCharge,
      /** What is due today, with fine and interest. */
      amountDueCents: Cents,
    ) => Effect.Effect<ReadonlyArray<PaymentNotice>, SimulationDeclined | ProcessorUnavailable>
  }
>()("@pixcharge/core/ports/PaymentSimulator") {}
