import type { Change } from "@pixcharge/core"
import { chargeEvent, type PaidCharge, type PendingCharge } from "@pixcharge/core/charges"
import {
  aChange,
  anEndToEndId,
  aPaidCharge,
  aPayment,
  aRefundedCharge,
  aRefundingCharge,
} from "@pixcharge/adapter-tests/fixtures"

const makeDeliveries = (charge: Parameters<typeof chargeEvent>[0]) => [
  { event: chargeEvent(charge, "Minha Loja"), endpointId: "loja" },
]

export const payNow = (charge: PendingCharge, now: number): PaidCharge =>
  aPaidCharge(charge, aPayment(charge, { endToEndId: anEndToEndId(), paidAt: now - 2_000, recordedAt: now }))

export const payment = (charge: PendingCharge, next: PaidCharge): Change =>
  aChange(charge, { next, payments: [next.payment], deliveries: makeDeliveries(next) })

export const refundChanges = (paid: PaidCharge): readonly [Change, Change] => {
  const refunding = aRefundingCharge(paid)
  const refunded = aRefundedCharge(refunding)
  return [
    aChange(paid, { next: refunding, unsent: "supersede" }),
    aChange(refunding, { next: refunded, returns: refunded.returns, deliveries: makeDeliveries(refunded) }),
  ]
}
