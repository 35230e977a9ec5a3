export {
  type CancelledBy,
  type CancelledCharge,
  type Charge,
  type ChargeStatus,
  chargeStatus,
  chargeStatuses,
  type CycleCharge,
  isCycleCharge,
  isExpired,
  isFailed,
  type PaidCharge,
  type PendingCharge,
  personalFields,
  refundableCents,
  type RefundedCharge,
  type RefundingCharge,
  type StatusIn,
  withoutPayer,
} from "./Charge.ts"
export type { ChargeTerms } from "./ChargeTerms.ts"
export {
  type ChargeId,
  chargeIdFromTxid,
  companiesInTxids,
  chargeTxid,
  InvalidChargeId,
  isTxidOfAnother,
  parseChargeId,
  type Txid,
} from "./ChargeId.ts"
export type { ChargePayer, PayerAddress, PayerContact } from "./ChargePayer.ts"
export type { AdditionalInfo, ChargePayerInput, ChargeRequestInput } from "./ChargeRequestInput.ts"
export { type ChargeDiscount, type ChargeFeesInput, chargeFees, type RequestedTerms } from "./RequestedTerms.ts"
export {
  type ChargeRequest,
  type ChargeRequestField,
  type ContractField,
  type ContractTerms,
  type HostFields,
  type HostTerms,
  immediateLifetimeSeconds,
  InvalidChargeRequest,
  latestDueDate,
  parseChargeRequest,
} from "./ChargeRequest.ts"
export {
  ChangeConflict,
  ChangeRejected,
  ChangeUnderWay,
  ChargeNotChangeable,
  InvalidChargeChange,
} from "./changeErrors.ts"
export type { ChangedCharge } from "./decideChange.ts"
export type { ChargeChange } from "./ChargeChange.ts"
export { type ChangeableTerms, chargeAt, type TermsRow } from "./TermsRow.ts"
export { type TermsStatus, termsStatus } from "./requestChange.ts"
export { type Coded, isCoded, type IssuedCharge, type PaymentRefusal, type RepeatRefusal } from "./Issue.ts"
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
export { type PartialRefund, type PartialRefundStatus, partialRefundStatus, withPart } from "./PartialRefund.ts"
export {
  InvalidPartialRefund,
  InvalidRefundReason,
  maxRefundReasonLength,
  parsePartialRefund,
  parseRefundReason,
  type PartialRefundInput,
  type PartialRefundRequest,
} from "./PartialRefundRequest.ts"
export type { PartialRefundRefusal } from "./decidePartialRefund.ts"
export { isSamePaymentId, isSameReturn, type Payment, type Return, returnedCents, type ReturnKind } from "./Payment.ts"
export {
  type ExceptionReason,
  type ExceptionState,
  type ExceptionStatus,
  exceptionStatus,
  type PaymentException,
  type PaymentStanding,
} from "./PaymentException.ts"
export {
  InvalidPaymentNotice,
  parsePaymentNotice,
  type PaymentNotice,
  type PaymentNoticeInput,
} from "./PaymentNotice.ts"
export { chargeEvent, chargeEventId, withoutShopTexts } from "./chargeEvents.ts"
export {
  type ChargeEvent,
  defaultKinds,
  type EventCharge,
  eventChargeId,
  type EventException,
  type EventFacts,
  type EventKind,
  eventKinds,
  eventOrderKey,
  type EventPart,
  type EventPayment,
  type EventRecurrence,
  type EventRefund,
  type FactKind,
  factKinds,
  type PixEvent,
  type PlainEvent,
  type RecurrenceEvent,
  type TestEvent,
  usualKinds,
} from "./PixEvent.ts"
export { customerReceipt, maskIdentifier, merchantReceipt } from "./Receipt.ts"
export {
  type FailedRefund,
  lateRefundMs,
  ownRefundId,
  type Refund,
  refundableUntil,
  type RefundOutcome,
} from "./Refund.ts"
export { type ShopTexts, shopTexts } from "./ShopTexts.ts"
export { foldName, isSoughtName, readSoughtText, type SoughtText } from "./SoughtText.ts"
export type { Refusal } from "./Transition.ts"
