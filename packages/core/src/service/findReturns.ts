import * as Effect from "effect/Effect"
import type { Payment, Return } from "../charge/Payment.ts"
import type { ProcessorUnavailable } from "../errors.ts"
import type { PaymentProcessor } from "../ports/PaymentProcessor.ts"

/** A processor may keep whole seconds. */
const marginMs = 1_000
/** Nobody receives so many payments in two seconds; a processor that ignores the cursor must not be called for ever. */
const mostPages = 100

/** What the processor says went back for one payment, from its list of the payments of that moment. */
export const findReturns = Effect.fnUntraced(function* (
  processor: PaymentProcessor["Service"],
  { issuer, endToEndId, paidAt }: Pick<Payment, "issuer" | "endToEndId" | "paidAt">,
): Effect.fn.Return<ReadonlyArray<Return>, ProcessorUnavailable> {
  const moment = { from: paidAt - marginMs, until: paidAt + marginMs }
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const { items, cursor: next } = yield* processor.payments(issuer, moment, cursor)
    const found = items.find((payment) => payment.endToEndId === endToEndId)
    if (found !== undefined) return found.returns
    if (next === undefined) return []
    cursor = next
  }
  return []
})
