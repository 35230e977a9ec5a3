import type { Charge } from "./Charge.ts"
import type { Payment } from "./Payment.ts"
import type { PaymentException } from "./PaymentException.ts"
import { type RecurrenceEvent, recurrenceEventId, type RefundFailedEvent } from "./PixEvent.ts"
import type { FailedRefund } from "./Refund.ts"
import type { CycleNews, RefundFailure } from "./Transition.ts"

/** The event of what is told of a cycle's charge; undefined for a charge of no cycle. */
export const cycleEvent = (charge: Charge, news: CycleNews, companyName: string): RecurrenceEvent | undefined => {
  const { issuer, id, txid, amountCents, cycle } = charge
  if (cycle === undefined) return undefined
  const { recurrenceId, contract } = cycle
  const on = news.kind === "payment-scheduled" ? news.attempt.on : news.on
  const facts = {
    id: recurrenceEventId(
      { issuer, recurrenceId },
      `${cycle.cycle}_${cycle.generation}_${news.kind}_${on}${news.kind === "payment-failed" ? `_${news.reason}` : ""}`,
    ),
    issuer,
    companyName,
    occurredAt: charge.updatedAt,
    recurrence: { recurrenceId, contract },
    cycle: cycle.cycle,
    charge: { chargeId: id, txid, amountCents },
    on,
  }
  if (news.kind === "payment-scheduled") return { ...facts, kind: news.kind }
  return { ...facts, ...news }
}

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
