// A folder's own index lists by name what of it is API; what has no such index is listed here.
export * from "./brcode/index.ts"
export * from "./calendar/index.ts"
export * from "./charge/index.ts"
export * from "./directory/index.ts"
export * from "./errors.ts"
export * from "./exchange/index.ts"
export { parseRetryAfter } from "./exchange/parseRetryAfter.ts"
export * from "./money/index.ts"
export type { Page, PageRequest } from "./page/Page.ts"
export { pageSize } from "./page/pageSize.ts"
export type { Period } from "./page/Period.ts"
export * from "./party/index.ts"
export { isStorableMoment } from "./storable/StorableMoment.ts"
export { isStorableText } from "./storable/StorableText.ts"
export { CallbackDelivery, type DeliveryOutcome } from "./ports/CallbackDelivery.ts"
export { CallbackEndpoints } from "./ports/CallbackEndpoints.ts"
export { ChargeArchive } from "./ports/ChargeArchive.ts"
export { ChargeLists } from "./ports/ChargeLists.ts"
export { type Change, ChargeStore, type Committed, type Insertion, type NewDelivery } from "./ports/ChargeStore.ts"
export { clockToleranceMs, farthestAheadMs, lateRefundMs } from "./ports/clockLimits.ts"
export { CompanyDirectory } from "./ports/CompanyDirectory.ts"
export { DirectoryAdmin } from "./ports/DirectoryAdmin.ts"
export { type ClaimRequest, DueChecks } from "./ports/DueChecks.ts"
export { type ExceptionChange, ExceptionStore } from "./ports/ExceptionStore.ts"
export { companyHolidays, HolidayCalendar } from "./ports/HolidayCalendar.ts"
export {
  type DeliveryAttempt,
  type DeliveryFate,
  type DeliveryFilter,
  type DeliveryKey,
  type DeliveryRecord,
  type DeliveryStatus,
  type DueDelivery,
  type LeasedQueue,
  Outbox,
  type QueueClaim,
  type QueueLease,
  type ReplaySelection,
  type Settlement,
} from "./ports/Outbox.ts"
export { PayerData, type PayerRecord } from "./ports/PayerData.ts"
export { type NoticesRoute, PaymentNotices } from "./ports/PaymentNotices.ts"
export {
  type CancelOutcome,
  type ChargeOrder,
  PaymentProcessor,
  type PaymentSearch,
  type ProcessorView,
  type ReceivedPayment,
  type RefundOrder,
  type RegisteredCharge,
} from "./ports/PaymentProcessor.ts"
export { PaymentSimulator } from "./ports/PaymentSimulator.ts"
export {
  type ClaimedReconciliation,
  type Reconciliation,
  type ReconciliationRun,
  Reconciliations,
  type ReconciliationTurn,
} from "./ports/Reconciliations.ts"
export { storableSettlement } from "./ports/StorableSettlement.ts"
export type { StorePorts } from "./ports/StorePorts.ts"
export { TransactionIds } from "./ports/TransactionIds.ts"
export type { MoveError } from "./service/ChargeMoves.ts"
export { OutboxSignal } from "./service/OutboxSignal.ts"
export { PaymentExceptions } from "./service/PaymentExceptions.ts"
export { PaymentSimulation, type SimulationError } from "./service/PaymentSimulation.ts"
export { type IssueError, PixCharges } from "./service/PixCharges.ts"
export type { BegunRefund } from "./service/refundCharge.ts"
export { type DispatcherHealth, EventDispatcher } from "./service/EventDispatcher.ts"
export { deliveryByTarget, type EventTaker, hostDelivery } from "./service/hostDelivery.ts"
export type { ExceptionMoveError } from "./service/ExceptionMoves.ts"
export {
  type DirectoryCacheOptions,
  type HostDirectory,
  hostDirectory,
  type HostDirectoryOptions,
} from "./service/hostDirectory.ts"
export { EventOperations } from "./service/EventOperations.ts"
export { type ReconciledRound, type ReconcileError, Reconciler } from "./service/Reconciler.ts"
export type { NewlyRecorded } from "./service/recordReceivedPayment.ts"
export type { ReconciledPeriod } from "./service/reconcile/reconcilePeriod.ts"
