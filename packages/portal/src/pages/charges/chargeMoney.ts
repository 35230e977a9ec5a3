import { refundWindowMs } from "@pixcharge/core/charges"
import type { PlainCharge } from "@pixcharge/embed"

/** The money of a charge, in cents. */
export interface ChargeMoney {
  /** Absent until it is paid. */
  readonly paidCents?: number
  /** What went back of its payment. */
  readonly returnedCents: number
  /** What is on its way back. */
  readonly returningCents: number
  /** When its payment can't be returned any more: epoch milliseconds. */
  readonly refundableUntil?: number
}

const sum = (rows: ReadonlyArray<{ readonly amountCents: number }>): number =>
  rows.reduce((cents, { amountCents }) => cents + amountCents, 0)

/** What was paid of a charge, what went back and what is on its way. */
export const chargeMoney = (charge: PlainCharge): ChargeMoney => {
  if (!("payment" in charge)) return { returnedCents: 0, returningCents: 0 }
  const { payment, returns, partialRefunds = [] } = charge
  const returnedCents = sum(returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId))
  const parts = partialRefunds.filter(({ status }) => status === "refunding")
  return {
    paidCents: payment.amountCents,
    returnedCents,
    returningCents: charge._tag === "Refunding" ? payment.amountCents - returnedCents : sum(parts),
    refundableUntil: payment.paidAt + refundWindowMs,
  }
}
