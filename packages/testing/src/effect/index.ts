export {
  aCancelledCharge,
  aCharge,
  aFailedCharge,
  anExpiredCharge,
  aPaidCharge,
  aRefundedCharge,
  aRefundingCharge,
} from "../makers/charges.ts"
export type {
  CancelFacts,
  ChargeFacts,
  CycleFacts,
  PaymentFacts,
  RefundFacts,
  RequestFacts,
  ReturnFacts,
} from "../makers/ChargeFacts.ts"
