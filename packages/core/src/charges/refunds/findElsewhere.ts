import * as Effect from "effect/Effect"
import type { PaymentProcessor, ProcessorView } from "../../ports/PaymentProcessor.ts"
import { ProcessorUnavailable } from "../../ports/portErrors.ts"
import { isSamePaymentId, type Return } from "../rules/Payment.ts"
import { chargeRefundId, isChargeRefund, partialRefundId } from "../rules/RefundId.ts"
import type { RefundUnderWay } from "./callRefund.ts"

/** More attempts than a refund has; a bank that knows every id is not asked for ever (decision 31). */
const maxAttempts = 16

/**
 * Finds what went back of a charge's other payments by this very refund; `key`: of the part that it returns. Restored books may have settled the
 * charge by the wrong one of two payments, and a bank may show a payment before it shows what went back of it. Asks nothing where the
 * charge has one payment.
 */
export const makeFindElsewhere = (processor: PaymentProcessor["Service"]) => {
  const findReturn = Effect.fnUntraced(function* (
    { issuer, endToEndId }: ProcessorView["payments"][number],
    { amountCents }: RefundUnderWay,
    key: string | undefined,
  ) {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const payment = { endToEndId }
      const id = key === undefined ? chargeRefundId(payment, attempt) : partialRefundId(payment, key, attempt)
      const known = yield* processor.lookupRefund({ issuer, endToEndId, amountCents, refundId: id })
      if (known?._tag === "Processing") {
        return yield* new ProcessorUnavailable({ operation: "lookupRefund", cause: "it returns another payment now" })
      }
      if (known?._tag === "Returned") {
        const { returnedAt, amountCents: back = amountCents } = known
        return { issuer, id, endToEndId, kind: "refund", amountCents: back, returnedAt } satisfies Return
      }
      if (known === undefined) return undefined
    }
    return undefined
  })

  return Effect.fnUntraced(function* (
    found: RefundUnderWay,
    key: string | undefined,
    { payments, returns }: ProcessorView,
  ) {
    const shows = (endToEndId: string) =>
      returns.some((one) => isSamePaymentId(one.endToEndId, endToEndId) && isChargeRefund(one))
    const others = payments.filter(
      ({ endToEndId }) => !isSamePaymentId(endToEndId, found.payment.endToEndId) && !shows(endToEndId),
    )
    const back = yield* Effect.forEach(others, (payment) => findReturn(payment, found, key))
    return back.filter((one) => one !== undefined)
  })
}
