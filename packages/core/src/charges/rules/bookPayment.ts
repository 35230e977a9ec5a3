import type { ChargeTerms } from "./Charge.ts"
import type { Payment } from "./Payment.ts"
import type { PaymentNotice } from "./PaymentNotice.ts"

/** What is known of a payment of a charge when it is recorded. */
interface Circumstances {
  /** Epoch milliseconds. */
  readonly recordedAt: number
  /** Whether this much was due on the day of the payment. */
  readonly isAmountDue: boolean
}

/** A payment of a charge as it is kept. What is odd about it is noted, and never a reason to drop it (decision 31). */
export const bookPayment = (
  { id, payableUntil }: Pick<ChargeTerms, "id" | "payableUntil">,
  notice: PaymentNotice,
  { recordedAt, isAmountDue }: Circumstances,
): Payment => ({
  ...notice,
  chargeId: id,
  recordedAt,
  late: notice.paidAt > payableUntil,
  otherAmount: !isAmountDue,
})

/** A payment of no charge that is known, as it is kept. */
export const bookUnmatched = (notice: PaymentNotice, recordedAt: number): Payment => ({
  ...notice,
  recordedAt,
  late: false,
  otherAmount: false,
})
