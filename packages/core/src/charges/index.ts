export {
  type CancelledCharge,
  type Charge,
  type ChargeTerms,
  type CycleCharge,
  isCycleCharge,
  isExpired,
  isFailed,
  type PaidCharge,
  type PendingCharge,
  personalFields,
  type RefundedCharge,
  type RefundingCharge,
  withoutPayer,
} from "./rules/Charge.ts"
export {
  type ChargeId,
  chargeIdFromTxid,
  companiesInTxids,
  chargeTxid,
  InvalidChargeId,
  isTxidOfAnother,
  parseChargeId,
  type Txid,
} from "./rules/ChargeId.ts"
export {
  type AdditionalInfo,
  type ChargeRequest,
  type ChargeRequestField,
  type ChargeRequestInput,
  type ContractTerms,
  type HostFields,
  type HostTerms,
  immediateLifetimeSeconds,
  InvalidChargeRequest,
  latestDueDate,
  parseChargeRequest,
} from "./rules/ChargeRequest.ts"
export {
  type Coded,
  isCoded,
  type IssuedCharge,
  type PaymentRefusal,
  type RepeatRefusal,
} from "./rules/decideRepeat.ts"
export { type ChargeStatus, chargeStatus, chargeStatuses, type StatusIn } from "./rules/ChargeStatus.ts"
export { chargeExpiry, type Expiry, type ExpiryInput, immediateLifetimeMs, payableForSeconds } from "./rules/Expiry.ts"
export {
  type AmountDue,
  amountDueOn,
  type AmountTerms,
  checkReductions,
  type DiscountDate,
  discountDates,
  promisedHolidays,
} from "./rules/LateFees.ts"
export { refundableCents } from "./rules/chargeParts.ts"
export { type PartialRefund, type PartialRefundStatus, partialRefundStatus, withPart } from "./rules/PartialRefund.ts"
export {
  InvalidPartialRefund,
  parsePartialRefund,
  type PartialRefundInput,
  type PartialRefundRequest,
} from "./rules/PartialRefundRequest.ts"
export type { PartialRefundRefusal } from "./rules/decidePartialRefund.ts"
export { isSameReturn, type Payment, type Return, returnedCents, type ReturnKind } from "./rules/Payment.ts"
export {
  type ExceptionReason,
  type ExceptionState,
  type ExceptionStatus,
  exceptionStatus,
  type PaymentException,
} from "./rules/PaymentException.ts"
export {
  InvalidPaymentNotice,
  parsePaymentNotice,
  type PaymentNotice,
  type PaymentNoticeInput,
} from "./rules/PaymentNotice.ts"
export type { PaymentStanding } from "./rules/PaymentStanding.ts"
export {
  chargeEvent,
  chargeEventId,
  type ChargeEvent,
  type EventCycleCharge,
  eventChargeId,
  type EventKind,
  type EventPayment,
  type EventRefund,
  factKinds,
  type PixEvent,
  type PlainEvent,
  type RecurrenceEvent,
  type RecurrenceEventKind,
  type RefundFailedEvent,
  type TestEvent,
} from "./rules/PixEvent.ts"
export { customerReceipt, maskIdentifier, merchantReceipt } from "./rules/Receipt.ts"
export { type FailedRefund, lateRefundMs, type Refund, refundableUntil } from "./rules/Refund.ts"
export { InvalidRefundReason, maxRefundReasonLength, parseRefundReason } from "./rules/RefundReason.ts"
export { ownRefundId } from "./rules/RefundId.ts"
export type { RefundOutcome } from "./rules/RefundOutcome.ts"
export { foldName, isSoughtName, readSoughtText, type SoughtText } from "./rules/SoughtText.ts"
export type { Refusal } from "./rules/Transition.ts"
