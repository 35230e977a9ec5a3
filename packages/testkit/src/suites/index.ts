export { auditLogSuite } from "./auditLogSuite.ts"
export { callbackDeliverySuite, type DeliverySurroundings } from "./callbackDeliverySuite.ts"
export { callbackEndpointsSuite } from "./callbackEndpointsSuite.ts"
export { chargeCountsSuite } from "./chargeCountsSuite.ts"
export { chargeListsSuite } from "./chargeListsSuite.ts"
export { chargeModelSuite, type ModelHooks } from "./chargeModelSuite.ts"
export { chargeStoreSuite } from "./chargeStoreSuite.ts"
export { companyDirectorySuite } from "./companyDirectorySuite.ts"
export { directoryAdminSuite } from "./directoryAdminSuite.ts"
export { directoryAuditSuite } from "./directoryAuditSuite.ts"
export {
  aMember,
  anIndependent,
  aReseller,
  type DirectoryAdminUnderTest,
  directoryUnderTest,
  type DirectoryUnderTest,
  type MakeDirectory,
} from "./DirectoryDriver.ts"
export { dueChecksSuite } from "./dueChecksSuite.ts"
export { eventDeliverySuite, type EventDeliveryUnderTest } from "./eventDeliverySuite.ts"
export { exceptionStoreSuite } from "./exceptionStoreSuite.ts"
export { holidayCalendarSuite, localHolidaysSuite } from "./holidayCalendarSuite.ts"
export { type EffectIt, type EffectTest, it, itWith } from "./itEffect.ts"
export { outboxSuite } from "./outboxSuite.ts"
export { payerDataSuite } from "./payerDataSuite.ts"
export type { ProcessorUnderTest } from "./paymentProcessor/ProcessorDriver.ts"
export { type NoticedCharge, type NoticesUnderTest, paymentNoticesSuite } from "./paymentNoticesSuite.ts"
export { paymentProcessorSuite } from "./paymentProcessorSuite.ts"
export { paymentSimulatorSuite, type SimulatorUnderTest } from "./paymentSimulatorSuite.ts"
export { reconciliationsSuite } from "./reconciliationsSuite.ts"
export { recurrenceStoreSuite } from "./recurrenceStoreSuite.ts"
export { type Fault, type RemoteProcessorUnderTest, remoteProcessorSuite } from "./remoteProcessorSuite.ts"
export { revokedTokensSuite } from "./revokedTokensSuite.ts"
export { separationSuite } from "./separationSuite.ts"
export { spanningSuite } from "./spanningSuite.ts"
export { storedValuesSuite } from "./storedValuesSuite.ts"
export { storeSuite } from "./storeSuite.ts"
export type { StoreHooks, TestedPorts } from "./StoreDriver.ts"
