export { PaymentExceptions } from "./charges/exceptions/PaymentExceptions.ts"
export { receivedBy } from "./charges/payments/findReceivers.ts"
export { type PaymentPlay, PaymentSimulation } from "./charges/payments/PaymentSimulation.ts"
export { PixCharges } from "./charges/PixCharges.ts"
export {
  type DirectoryCacheOptions,
  hostDirectory,
  type HostDirectory,
  type HostDirectoryOptions,
} from "./directory/host/hostDirectory.ts"
export {
  ChargeAlreadyPaid,
  ChargeCancelled,
  ChargeConflict,
  ChargeExpired,
  ChargeNotFound,
  ChargeNotPaid,
  ChargeRefunded,
  ChargeRefunding,
  DueDateOutOfRange,
  IssuerNotEligible,
} from "./charges/rules/chargeErrors.ts"
export {
  ExceptionClosed,
  ExceptionNotFound,
  ExceptionRefundRejected,
  PaymentOfAnotherCharge,
  PaymentOfAnotherCompany,
  PaymentUnmatched,
  SimulationDeclined,
} from "./charges/rules/paymentErrors.ts"
export {
  ChargePartlyReturned,
  PartialRefundConflict,
  PartialRefundUnderWay,
  RefundExceedsRest,
  RefundRejected,
  RefundWindowClosed,
} from "./charges/rules/refundErrors.ts"
export { CompanyNotFound, DirectoryUnavailable, EndpointNotFound } from "./directory/directoryErrors.ts"
export { NothingSelected } from "./events/NothingSelected.ts"
export {
  ChargeWithoutPage,
  InvalidLink,
  PeriodTooLarge,
  ProcessorRejected,
  ProcessorUnavailable,
  StoreUnavailable,
  TooManyReports,
} from "./ports/portErrors.ts"
export type { Prose } from "./runtime/error/Prose.ts"
export { EventDispatcher } from "./events/EventDispatcher.ts"
export { type EndpointOverview } from "./events/endpointOperations.ts"
export { EventOperations } from "./events/EventOperations.ts"
export { type EventTaker, hostDelivery } from "./events/hostDelivery.ts"
export { OutboxSignal } from "./events/OutboxSignal.ts"
export { Actor, currentActor } from "./ports/Actor.ts"
export { type AuditChange, type AuditFilter, AuditLog, type AuditRecord } from "./ports/AuditLog.ts"
export { CallbackDelivery, type DeliveryOutcome } from "./ports/CallbackDelivery.ts"
export { CallbackEndpoints } from "./ports/CallbackEndpoints.ts"
export { ChargeCounts, type Counted, type CountRequest, type SlotCount } from "./ports/ChargeCounts.ts"
export { ChargeLists, type ChargeSearch } from "./ports/ChargeLists.ts"
export {
  type Change,
  ChargeStore,
  type Committed,
  type Insertion,
  type NewDelivery,
  type OwnedPayment,
  type SeenCharge,
  type ShownPlace,
} from "./ports/ChargeStore.ts"
export { Checkout, type CheckoutRoute, type LinkTerms } from "./ports/Checkout.ts"
export { clockToleranceMs, farthestAheadMs } from "./ports/clockLimits.ts"
export { CompanyDirectory } from "./ports/CompanyDirectory.ts"
export type { Diagnosable, DiagnosisOrder, Finding } from "./ports/Diagnosable.ts"
export { DirectoryAdmin } from "./ports/DirectoryAdmin.ts"
export { type ClaimRequest, DueChecks, type MadeCheck, wakesForMs } from "./ports/DueChecks.ts"
export { type ExceptionChange, type ExceptionSearch, ExceptionStore } from "./ports/ExceptionStore.ts"
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
  type QueueDepth,
  type QueueLease,
  type ReplaySelection,
  type Settlement,
} from "./ports/Outbox.ts"
export { PayerData, type PayerRecord } from "./ports/PayerData.ts"
export { type NoticesRoute, PaymentNotices } from "./ports/PaymentNotices.ts"
export {
  type CancelOutcome,
  type ChargeOrder,
  type PaymentPage,
  PaymentProcessor,
  type PaymentSearch,
  type ProcessorView,
  type ReceivedPayment,
  type RefundOrder,
  type RegisteredCharge,
  type ShownNotice,
} from "./ports/PaymentProcessor.ts"
export { PaymentSimulator, type PlayOutcome, playOutcomes } from "./ports/PaymentSimulator.ts"
export {
  type ClaimedReconciliation,
  type ListRun,
  type Reconciliation,
  Reconciliations,
  type ReconciliationTurn,
  type WaitingCharge,
  type WaitingSearch,
  wakeIntervalMs,
} from "./ports/Reconciliations.ts"
export { RevokedTokens } from "./ports/RevokedTokens.ts"
export { storableSettlement } from "./ports/StorableSettlement.ts"
export type { StorePorts } from "./ports/StorePorts.ts"
export { TransactionIds } from "./ports/TransactionIds.ts"
export type { Volatile } from "./ports/Volatile.ts"
export { Reconciler } from "./reconcile/Reconciler.ts"
export { PixReports } from "./reports/PixReports.ts"
export type { Exchange, ExchangeBody, Reply } from "./runtime/exchange/index.ts"
export { InvalidOption } from "./runtime/options/InvalidOption.ts"
export { invalidCursor, InvalidFilter } from "./runtime/page/InvalidFilter.ts"
export type { Page, PageRequest } from "./runtime/page/Page.ts"
export { pageSize } from "./runtime/page/pageSize.ts"
export type { Period } from "./runtime/page/Period.ts"
export { isStorableMoment } from "./runtime/storable/StorableMoment.ts"
export { isStorableText } from "./runtime/storable/StorableText.ts"
