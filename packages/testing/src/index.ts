export type { ChargePlay, Lateness, OutsideReturn } from "./ChargePlay.ts"
export type { Cleanup, RegisterHook } from "./Cleanup.ts"
export type {
  CancelFacts,
  ChargeFacts,
  CycleFacts,
  ExceptionFacts,
  PartFacts,
  PaymentFacts,
  RefundFacts,
  RefusalFacts,
  RequestFacts,
  ReturnFacts,
} from "./makers/ChargeFacts.ts"
export {
  aCancelledEvent,
  anExpiredEvent,
  aPaidEvent,
  aPartRefundedEvent,
  aPaymentFailedEvent,
  aRefundedEvent,
  aRefundFailedEvent,
} from "./makers/events.ts"
export { anExceptionEvent, anExceptionReturnedEvent } from "./makers/exceptionEvents.ts"
export {
  aCancelledCharge,
  aCharge,
  aFailedCharge,
  anExpiredCharge,
  aPaidCharge,
  aRefundedCharge,
  aRefundingCharge,
} from "./makers/plainCharges.ts"
export { testPix, type TestPix, type TestPixOptions } from "./testPix.ts"
export { testReceiver, type TestReceiver } from "./testReceiver.ts"
