import * as Effect from "effect/Effect"
import type { ProcessorView } from "../../ports/PaymentProcessor.ts"
import { ProcessorUnavailable } from "../../ports/portErrors.ts"
import type { ChargePorts } from "../ChargePorts.ts"
import { makeListFurther } from "../exceptions/ExceptionMoves.ts"
import type { Charge } from "../rules/Charge.ts"
import { livePart } from "../rules/chargeParts.ts"
import { isSamePaymentId, type Payment, type Return } from "../rules/Payment.ts"
import { chargeRefundId, isChargeRefund, partialRefundId } from "../rules/RefundId.ts"
import type { RefundUnderWay } from "./callRefund.ts"

type PaymentId = Pick<Payment, "endToEndId">

/** More attempts than a refund has; a bank that knows every id is not asked for ever (decision 31). */
const maxAttempts = 16

/**
 * Finds what went back of a charge's other payments by this very refund, or by that of the part that it returns, and adds it to the
 * view, with its payment. Restored books may have settled the charge by the wrong one of two payments; a bank may show a payment
 * before it shows what went back of it, and one payment of two. Asks the bank nothing where the charge has one payment.
 */
export const makeFindElsewhere = ({ processor, exceptions }: Pick<ChargePorts, "processor" | "exceptions">) => {
  const listFurther = makeListFurther({ exceptions })

  const findReturn = Effect.fnUntraced(function* (
    { issuer, endToEndId }: Pick<Payment, "issuer" | "endToEndId">,
    { amountCents }: RefundUnderWay,
    key: string | undefined,
  ): Effect.fn.Return<ReadonlyArray<Return>, ProcessorUnavailable> {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const payment = { endToEndId }
      const id = key === undefined ? chargeRefundId(payment, attempt) : partialRefundId(payment, key, attempt)
      const known = yield* processor.lookupRefund({ issuer, endToEndId, amountCents, refundId: id })
      if (known?._tag === "Processing") {
        return yield* new ProcessorUnavailable({ operation: "lookupRefund", cause: "it returns another payment now" })
      }
      if (known?._tag === "Returned") {
        const { returnedAt, amountCents: back = amountCents } = known
        return [{ issuer, id, endToEndId, kind: "refund", amountCents: back, returnedAt }]
      }
      if (known === undefined) return []
    }
    return []
  })

  return Effect.fnUntraced(function* (charge: Charge, found: RefundUnderWay, view: ProcessorView) {
    const { payments, returns } = view
    const isSettling = ({ endToEndId }: PaymentId) => isSamePaymentId(endToEndId, found.payment.endToEndId)
    const isShown = ({ endToEndId }: PaymentId) => payments.some((one) => isSamePaymentId(one.endToEndId, endToEndId))
    const isBack = ({ endToEndId }: PaymentId) =>
      returns.some((one) => isSamePaymentId(one.endToEndId, endToEndId) && isChargeRefund(one))
    const unshown = (yield* listFurther(charge)).map(({ payment }) => payment).filter((payment) => !isShown(payment))
    const others = [...payments, ...unshown].filter((payment) => !isSettling(payment) && !isBack(payment))
    const key = livePart(charge)?.key
    const back = (yield* Effect.forEach(others, (payment) => findReturn(payment, found, key))).flat()
    const added = unshown.filter(({ endToEndId }) => back.some((one) => one.endToEndId === endToEndId))
    return { ...view, payments: [...payments, ...added], returns: [...returns, ...back] }
  })
}
