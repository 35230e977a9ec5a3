import { refundableUntil } from "@pixcharge/core/charges"
import type { PlainCharge } from "@pixcharge/embed"

/** The money of a charge, in cents. */
export interface ChargeMoney {
  /** Absent until it is paid. */
  readonly paidCents?: number
  /** How much of its payment went back. */
  readonly returnedCents: number
  /** How much is on its way back. */
  readonly returningCents: number
  /** Until when its payment can be returned. Epoch milliseconds. */
  readonly refundableUntil?: number
}

const sum = (rows: ReadonlyArray<{ readonly amountCents: number }>): number =>
  rows.reduce((cents, { amountCents }) => cents + amountCents, 0)

/** The amounts of a charge: paid, returned, and on their way back. */
export const chargeMoney = (charge: PlainCharge): ChargeMoney => {
  if (!("payment" in charge)) return { returnedCents: 0, returningCents: 0 }
  const { payment, returns, partialRefunds = [] } = charge
  const returnedCents = sum(returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId))
  const parts = partialRefunds.filter(({ status }) => status === "refunding")
  return {
    paidCents: payment.amountCents,
    returnedCents,
    returningCents: charge._tag === "Refunding" ? payment.amountCents - returnedCents : sum(parts),
    refundableUntil: refundableUntil(payment.paidAt),
  }
}
