import type { Charge, Refund } from "@pixcharge/core/charges"

const withoutReason = <R extends Refund>({ reason: _, ...refund }: R) => refund

/** The charge without the reasons of its refunds, which may name its payer. */
export const withoutRefundReasons = (charge: Charge): Charge => ({
  ...charge,
  ...(charge.partialRefunds && {
    partialRefunds: charge.partialRefunds.map((part) => ({ ...part, refund: withoutReason(part.refund) })),
  }),
  ...("refund" in charge && charge.refund && { refund: withoutReason(charge.refund) }),
  ...("failedRefund" in charge && charge.failedRefund && { failedRefund: withoutReason(charge.failedRefund) }),
})
