export * from "./Charge.ts"
export * from "./ChargeId.ts"
export * from "./ChargeRequest.ts"
export * from "./checkSchedule.ts"
export * from "./decide.ts"
export * from "./decideException.ts"
export {
  type FinalRefundOutcome,
  type RefundCommand,
  type RefuseRefund,
  refundIdOf,
  refundWindowMs,
} from "./decideRefund.ts"
export * from "./decideRepeat.ts"
export * from "./Expiry.ts"
export * from "./LateFees.ts"
export * from "./Payment.ts"
export * from "./PaymentException.ts"
export * from "./PaymentNotice.ts"
export * from "./PixEvent.ts"
export * from "./Receipt.ts"
export { type FailedRefund, type Refund, unansweredForMs } from "./Refund.ts"
export * from "./RefundOutcome.ts"
export type { Refusal, Transition } from "./Transition.ts"
