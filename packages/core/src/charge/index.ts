export {
  type CancelledCharge,
  type Charge,
  type ChargeTerms,
  isExpired,
  type PaidCharge,
  type PendingCharge,
  type RefundedCharge,
  type RefundingCharge,
} from "./Charge.ts"
export { type ChargeId, chargeIdFromTxid, chargeTxid, InvalidChargeId, parseChargeId, type Txid } from "./ChargeId.ts"
export {
  type AdditionalInfo,
  type ChargeRequest,
  type ChargeRequestField,
  type ChargeRequestInput,
  immediateLifetimeSeconds,
  InvalidChargeRequest,
  latestDueDate,
  parseChargeRequest,
} from "./ChargeRequest.ts"
export type { IssuedCharge, PaymentRefusal, RepeatRefusal } from "./decideRepeat.ts"
export { type ChargeStatus, chargeStatus } from "./ChargeStatus.ts"
export { chargeExpiry, type Expiry, type ExpiryInput, immediateLifetimeMs, payableForSeconds } from "./Expiry.ts"
export {
  type AmountDue,
  amountDueOn,
  type AmountTerms,
  checkReductions,
  type DiscountDate,
  discountDates,
  promisedHolidays,
} from "./LateFees.ts"
export { refundableCents } from "./chargeParts.ts"
export { type PartialRefund, type PartialRefundStatus, partialRefundStatus, withPart } from "./PartialRefund.ts"
export {
  InvalidPartialRefund,
  parsePartialRefund,
  type PartialRefundInput,
  type PartialRefundRequest,
} from "./PartialRefundRequest.ts"
export type { PartialRefundRefusal } from "./decidePartialRefund.ts"
export { isSameReturn, type Payment, type Return, returnedCents, type ReturnKind } from "./Payment.ts"
export {
  type ExceptionReason,
  type ExceptionState,
  type ExceptionStatus,
  exceptionStatus,
  type PaymentException,
} from "./PaymentException.ts"
export {
  InvalidPaymentNotice,
  parsePaymentNotice,
  type PaymentNotice,
  type PaymentNoticeInput,
} from "./PaymentNotice.ts"
export type { PaymentStanding } from "./PaymentStanding.ts"
export { chargeEvent, chargeEventId, type EventKind, type EventPayment, type PixEvent } from "./PixEvent.ts"
export { customerReceipt, maskIdentifier, merchantReceipt } from "./Receipt.ts"
export { type FailedRefund, lateRefundMs, type Refund, refundWindowMs } from "./Refund.ts"
export { ownRefundId } from "./RefundId.ts"
export type { RefundOutcome } from "./RefundOutcome.ts"
export { foldName, readSoughtText, type SoughtText } from "./SoughtText.ts"
export type { Refusal } from "./Transition.ts"
