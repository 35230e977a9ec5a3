export { auditLogSuite } from "./auditLogSuite.ts"
export { callbackDeliverySuite, type DeliverySurroundings } from "./callbackDelivery/callbackDeliverySuite.ts"
export { callbackEndpointsSuite } from "./directory/callbackEndpointsSuite.ts"
export { chargeCountsSuite } from "./chargeCounts/chargeCountsSuite.ts"
export { chargeListsSuite } from "./chargeLists/chargeListsSuite.ts"
export { chargeModelSuite, type ModelHooks } from "./chargeModel/chargeModelSuite.ts"
export { chargeStoreSuite } from "./chargeStore/chargeStoreSuite.ts"
export { companyDirectorySuite } from "./directory/companyDirectorySuite.ts"
export { directoryAdminSuite } from "./directory/directoryAdminSuite.ts"
export { directoryAuditSuite } from "./directory/directoryAuditSuite.ts"
export {
  aMember,
  anIndependent,
  aReseller,
  type DirectoryAdminUnderTest,
  directoryUnderTest,
  type DirectoryUnderTest,
  type MakeDirectory,
} from "./directory/DirectoryDriver.ts"
export { dueChecksSuite } from "./dueChecks/dueChecksSuite.ts"
export { eventDeliverySuite, type EventDeliveryUnderTest } from "./eventDelivery/eventDeliverySuite.ts"
export { exceptionStoreSuite } from "./exceptionStore/exceptionStoreSuite.ts"
export { holidayCalendarSuite, localHolidaysSuite } from "./directory/holidayCalendarSuite.ts"
export { type EffectIt, type EffectTest, it, itWith } from "./itEffect.ts"
export { outboxSuite } from "./outbox/outboxSuite.ts"
export { payerDataSuite } from "./payerDataSuite.ts"
export type { ProcessorUnderTest } from "./processor/ProcessorDriver.ts"
export { type NoticedCharge, type NoticesUnderTest, paymentNoticesSuite } from "./processor/paymentNoticesSuite.ts"
export { paymentProcessorSuite } from "./processor/paymentProcessorSuite.ts"
export { paymentSimulatorSuite, type SimulatorUnderTest } from "./processor/paymentSimulatorSuite.ts"
export { reconciliationsSuite } from "./reconciliationsSuite.ts"
export { recurrenceStoreSuite } from "./recurrenceStore/recurrenceStoreSuite.ts"
export { type Fault, type RemoteProcessorUnderTest, remoteProcessorSuite } from "./processor/remoteProcessorSuite.ts"
export { revokedTokensSuite } from "./revokedTokensSuite.ts"
export { separationSuite } from "./separation/separationSuite.ts"
export { spanningSuite, storedValuesSuite, storeSuite } from "./storeSuite.ts"
export type { StoreHooks, TestedPorts } from "./StoreDriver.ts"
