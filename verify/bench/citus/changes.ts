import type { Change } from "@pixcharge/core"
import { chargeEvent, type PaidCharge, type Payment, type PendingCharge } from "@pixcharge/core/charge"
import { aChange, aPaidCharge, aRefundedCharge, aRefundingCharge } from "@pixcharge/testkit/fixtures"

const eventOf = (charge: Parameters<typeof chargeEvent>[0]) => ({
  event: chargeEvent(charge, "Padaria Aurora Ltda"),
  endpointId: "callback",
})

/** The charge, paid now. */
export const paidNow = (charge: PendingCharge): PaidCharge => {
  const { issuer, id, txid, amountCents } = charge
  const now = Date.now()
  const endToEndId = `E${crypto.randomUUID().replaceAll("-", "").slice(1)}`
  const payment: Payment = {
    issuer,
    chargeId: id,
    txid,
    endToEndId,
    amountCents,
    paidAt: now,
    recordedAt: now,
    late: false,
    otherAmount: false,
  }
  return aPaidCharge(charge, payment)
}

/** The commit of a payment without an event, for the stock. */
export const silentPayment = (charge: PendingCharge): Change => {
  const next = paidNow(charge)
  return aChange(charge, { next, payments: [next.payment] })
}

/** The commit of a payment with its delivery. */
export const payment = (charge: PendingCharge, next: PaidCharge): Change =>
  aChange(charge, { next, payments: [next.payment], deliveries: [eventOf(next)] })

/** The two commits of a refund: it is requested, and it has come about, with its return and its delivery. */
export const refund = (charge: PaidCharge): readonly [Change, Change] => {
  const refunding = aRefundingCharge(charge)
  const refunded = aRefundedCharge(refunding)
  return [
    aChange(charge, { next: refunding }),
    aChange(refunding, { next: refunded, returns: refunded.returns, deliveries: [eventOf(refunded)] }),
  ]
}
