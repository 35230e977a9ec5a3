import * as Effect from "effect/Effect"
import type { PaymentProcessor, RefundOrder, RefundOutcome } from "../ports/PaymentProcessor.ts"

/**
 * What the processor makes of a committed refund. One that was asked for before may have been heard: only a refund that
 * the processor never heard of is asked again. A silence is `Processing`: the refund stands committed, whoever committed
 * it, and is looked after until there is an answer.
 */
export const askRefund = Effect.fnUntraced(
  function* (processor: PaymentProcessor["Service"], order: RefundOrder, resumed: boolean) {
    const known = resumed ? yield* processor.lookupRefund(order) : undefined
    return known ?? (yield* processor.refund(order))
  },
  Effect.catchTag("ProcessorUnavailable", () => Effect.succeed<RefundOutcome>({ _tag: "Processing" })),
)
