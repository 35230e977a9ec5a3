import type { ChargeTerms } from "./Charge.ts"
import type { Payment } from "./Payment.ts"
import type { PaymentNotice } from "./PaymentNotice.ts"

/**
 * A payment of a charge as it is kept. What is odd about it is noted, and never a reason to drop it (decision 31);
 * `isAmountDue` says whether this much was due on its day.
 */
export const bookPayment = (
  { id, payableUntil }: Pick<ChargeTerms, "id" | "payableUntil">,
  notice: PaymentNotice,
  { recordedAt, isAmountDue }: { readonly recordedAt: number; readonly isAmountDue: boolean },
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
