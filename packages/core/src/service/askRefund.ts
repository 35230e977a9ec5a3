import * as Effect from "effect/Effect"
import type { PaymentProcessor, RefundOrder, RefundOutcome } from "../ports/PaymentProcessor.ts"

/**
 * What the processor makes of a committed refund. One that was asked for before may have been heard: only a refund that
 * the processor never heard of is asked again.
 */
export const askRefund = Effect.fnUntraced(function* (
  processor: PaymentProcessor["Service"],
  order: RefundOrder,
  resumed: boolean,
) {
  const known = resumed ? yield* processor.lookupRefund(order) : undefined
  const outcome: RefundOutcome = known ?? (yield* processor.refund(order))
  return outcome
})
