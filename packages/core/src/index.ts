export { Bookkeeping } from "./services/charges/Bookkeeping.ts"
export { PaymentExceptions } from "./services/charges/PaymentExceptions.ts"
export { type PaymentPlay, PaymentSimulation } from "./services/charges/PaymentSimulation.ts"
export { PixCharges } from "./services/charges/PixCharges.ts"
export {
  type DirectoryCacheOptions,
  hostDirectory,
  type HostDirectory,
  type HostDirectoryOptions,
} from "./services/directory/hostDirectory.ts"
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
} from "./model/charge/chargeErrors.ts"
export {
  ChargePartlyReturned,
  ExceptionClosed,
  ExceptionNotFound,
  ExceptionRefundRejected,
  PartialRefundConflict,
  PartialRefundUnderWay,
  PaymentOfAnotherCharge,
  PaymentOfAnotherCompany,
  PaymentUnmatched,
  RefundExceedsRest,
  RefundRejected,
  RefundWindowClosed,
  SimulationDeclined,
} from "./model/charge/paymentErrors.ts"
export { CompanyNotFound, DirectoryUnavailable, EndpointNotFound } from "./model/directory/directoryErrors.ts"
export { EventOperations, NothingSelected } from "./services/events/EventOperations.ts"
export {
  ChargeWithoutPage,
  clockToleranceMs,
  InvalidLink,
  maxAheadMs,
  PeriodTooLarge,
  ProcessorRejected,
  ProcessorUnavailable,
  StoreUnavailable,
  TooManyReports,
} from "./ports/portErrors.ts"
export type { Prose } from "./runtime/error.ts"
export { EventDispatcher } from "./services/events/EventDispatcher.ts"
export { type EndpointOverview } from "./services/events/endpointOperations.ts"
export { type EventTaker, hostDelivery } from "./services/events/hostDelivery.ts"
export { OutboxSignal } from "./services/events/OutboxSignal.ts"
export {
  Actor,
  type AuditChange,
  type AuditFilter,
  AuditLog,
  type AuditRecord,
  currentActor,
} from "./ports/AuditLog.ts"
export { CallbackDelivery, CallbackEndpoints, type DeliveryOutcome } from "./ports/CallbackDelivery.ts"
export {
  ChargeCounts,
  ChargeLists,
  type ChargeSearch,
  type Counted,
  type CountRequest,
  type SlotCount,
} from "./ports/ChargeLists.ts"
export {
  type Change,
  ChargeStore,
  type Committed,
  type Insertion,
  type NewDelivery,
  type OwnedPayment,
  type SeenCharge,
  type PaymentRef,
} from "./ports/ChargeStore.ts"
export { Checkout, type CheckoutRoute, type LinkTerms } from "./ports/Checkout.ts"
export { CompanyDirectory, companyHolidays, DirectoryAdmin, HolidayCalendar } from "./ports/CompanyDirectory.ts"
export type { Diagnosable, DiagnosisOrder, Finding, Volatile } from "./ports/Diagnosable.ts"
export { type ClaimRequest, DueChecks, type DueKind, type DueWork, type MadeCheck } from "./ports/DueChecks.ts"
export { type ExceptionChange, type ExceptionSearch, ExceptionStore } from "./ports/ExceptionStore.ts"
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
export { PayerData, type PayerRecord, RevokedTokens, type StorePorts } from "./ports/StorePorts.ts"
export {
  type CancelOutcome,
  type ChargeOrder,
  type NoticesRoute,
  PaymentNotices,
  type PaymentPage,
  PaymentProcessor,
  type PaymentSearch,
  type ProcessorView,
  type ReceivedPayment,
  type RefundOrder,
  type RegisteredCharge,
  type ShownNotice,
  TransactionIds,
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
} from "./ports/Reconciliations.ts"
export { storableSettlement } from "./ports/storableProcessor.ts"
export { Reconciler } from "./services/reconcile/Reconciler.ts"
export { PixReports } from "./services/reports/PixReports.ts"
export type { Exchange, ExchangeBody, Reply } from "./runtime/exchange.ts"
export { InvalidOption } from "./runtime/options.ts"
export { invalidCursor, InvalidFilter, type Page, type PageRequest, pageSize, type Period } from "./runtime/page.ts"
export { isStorableMoment, isStorableText } from "./runtime/storable.ts"
