import type { Charge } from "./Charge.ts"
import type { Payment } from "./Payment.ts"
import type { PaymentException } from "./PaymentException.ts"
import type { RefundFailedEvent } from "./PixEvent.ts"
import type { FailedRefund } from "./Refund.ts"
import type { RefundFailure } from "./Transition.ts"

/** The id follows from the refund and its request: asked for again, the same refund may fail again. */
const facts = (
  { issuer, endToEndId }: Pick<Payment, "issuer" | "endToEndId">,
  { refund, amountCents, key }: RefundFailure,
): Pick<RefundFailedEvent, "id" | "kind" | "issuer" | "refund"> => ({
  id: `evt_${issuer}_${refund.id}_${refund.requestedAt}_refund-failed`,
  kind: "refund-failed",
  issuer,
  refund: { id: refund.id, endToEndId, amountCents, reason: refund.rejection, ...(key !== undefined && { key }) },
})

/** The event of a charge's refund, or of a part, that failed; undefined for a charge without a payment. */
export const refundFailedEvent = (
  charge: Charge,
  failure: RefundFailure,
  companyName: string,
): RefundFailedEvent | undefined => {
  if (!("payment" in charge)) return undefined
  const { id: chargeId, txid, payment, updatedAt } = charge
  const { endToEndId, amountCents } = payment
  return {
    ...facts(payment, failure),
    companyName,
    occurredAt: updatedAt,
    payment: { chargeId, txid, endToEndId, amountCents },
  }
}

/** The same of a payment that settled no charge. */
export const exceptionRefundFailedEvent = (
  { payment }: Pick<PaymentException, "payment">,
  refund: FailedRefund,
  { companyName, occurredAt }: Pick<RefundFailedEvent, "companyName" | "occurredAt">,
): RefundFailedEvent => ({
  ...facts(payment, { refund, amountCents: payment.amountCents }),
  companyName,
  occurredAt,
})
