export {
  type BrCode,
  type BrCodeMerchant,
  type BrCodeReading,
  type BrCodeRule,
  type BrCodeViolation,
  decodeBrCode,
  type DecodedBrCode,
  type DynamicBrCode,
  encodeBrCode,
  fitMerchant,
  InvalidBrCode,
  InvalidPixKey,
  normalizePixKey,
  parsePixKey,
  type PixKey,
  type PixKeyKind,
  type RecurrenceBrCode,
  type StaticBrCode,
  type UnrelatedField,
} from "./brcode/index.ts"
export {
  addBusinessDays,
  addDays,
  addYears,
  brasiliaDate,
  brasiliaWallClock,
  businessDaysBetween,
  dayOfWeek,
  daysBetween,
  endOfBrasiliaDay,
  type Holidays,
  InvalidLocalDate,
  isBusinessDay,
  type LocalDate,
  nationalBankHolidays,
  nationalHolidays,
  nextBusinessDay,
  parseLocalDate,
  startOfBrasiliaDay,
  withHolidays,
} from "./calendar/index.ts"
export {
  type AdditionalInfo,
  type AmountDue,
  amountDueOn,
  type AmountTerms,
  type CancelledCharge,
  type Charge,
  chargeEvent,
  chargeEventId,
  chargeExpiry,
  type ChargeId,
  chargeIdFromTxid,
  type ChargeRequest,
  type ChargeRequestField,
  type ChargeRequestInput,
  type ChargeStatus,
  chargeStatus,
  type ChargeTerms,
  chargeTxid,
  checkReductions,
  customerReceipt,
  type DiscountDate,
  discountDates,
  type EventKind,
  type EventPayment,
  type ExceptionReason,
  type ExceptionState,
  type ExceptionStatus,
  exceptionStatus,
  type Expiry,
  type ExpiryInput,
  type FailedRefund,
  foldName,
  immediateLifetimeMs,
  immediateLifetimeSeconds,
  InvalidChargeId,
  InvalidChargeRequest,
  InvalidPartialRefund,
  InvalidPaymentNotice,
  isExpired,
  type IssuedCharge,
  lateRefundMs,
  latestDueDate,
  merchantReceipt,
  type PaidCharge,
  parseChargeId,
  parseChargeRequest,
  parsePartialRefund,
  parsePaymentNotice,
  type PartialRefund,
  type PartialRefundInput,
  type PartialRefundRefusal,
  type PartialRefundRequest,
  type PartialRefundStatus,
  partialRefundStatus,
  payableForSeconds,
  type Payment,
  type PaymentException,
  type PaymentNotice,
  type PaymentNoticeInput,
  type PaymentRefusal,
  type PendingCharge,
  type PixEvent,
  readSoughtText,
  type Refund,
  refundableCents,
  type RefundedCharge,
  type RefundingCharge,
  type RefundOutcome,
  type Refusal,
  type RepeatRefusal,
  type Return,
  returnedCents,
  type ReturnKind,
  type SoughtText,
  type Txid,
} from "./charges/index.ts"
export {
  callbackId,
  type CallbackInput,
  checkIntegratorKey,
  type CompanyFacts,
  type CompanyInput,
  type Credential,
  type CredentialKey,
  type DirectoryEntry,
  type Endpoint,
  endpointHost,
  type EndpointTarget,
  type HostCompany,
  type HostEndpoint,
  type HostKey,
  integratorKeyDigest,
  InvalidRegistration,
  type KeyDigest,
  keyHolder,
  type KeyRing,
  keyRingFlaw,
  makeKeyCheck,
  newIntegratorKey,
  parseCallbackSecret,
  parseCompany,
  parseFlag,
  parseHolder,
  parseReseller,
  resellerCnpj,
  type ResellerFacts,
  type ResellerInput,
  resellersKeyRule,
  type RingKey,
} from "./directory/index.ts"
export { CausedError } from "./runtime/error/CausedError.ts"
export { hideCause } from "./runtime/error/hideCause.ts"
export { hasTag, isOfOurs } from "./runtime/error/isOfOurs.ts"
export { type ErrorCode, TaggedError, type TaggedErrorClass } from "./runtime/error/TaggedError.ts"
export {
  ChargeAlreadyPaid,
  ChargeCancelled,
  ChargeConflict,
  ChargeExpired,
  ChargeNotFound,
  ChargeNotPaid,
  ChargePartlyReturned,
  ChargeRefunded,
  ChargeRefunding,
  CompanyNotFound,
  DirectoryUnavailable,
  DueDateOutOfRange,
  EndpointNotFound,
  ExceptionClosed,
  ExceptionNotFound,
  ExceptionRefundRejected,
  InvalidLink,
  IssuerNotEligible,
  NothingSelected,
  PartialRefundConflict,
  PartialRefundUnderWay,
  PaymentOfAnotherCharge,
  PaymentOfAnotherCompany,
  PaymentUnmatched,
  PeriodTooLarge,
  ProcessorRejected,
  type Prose,
  ProcessorUnavailable,
  RefundExceedsRest,
  RefundRejected,
  RefundWindowClosed,
  SimulationDeclined,
  StoreUnavailable,
  TooManyReports,
} from "./errors.ts"
export {
  type BytesRead,
  type Exchange,
  type ExchangeBody,
  Pieces,
  plainPath,
  readUpTo,
  type RefusedBody,
  type Reply,
} from "./runtime/exchange/index.ts"
export { parseRetryAfter } from "./runtime/exchange/parseRetryAfter.ts"
export {
  type Abatement,
  type Cents,
  centsFromDecimal,
  centsFromReais,
  type DayCount,
  decimalFromCents,
  type Discount,
  type Fees,
  type FeesInput,
  type Fine,
  type FixedOrPercent,
  formatBrl,
  type Interest,
  InvalidAmount,
  type InvalidAmountReason,
  InvalidFees,
  type InvalidFeesReason,
  isCents,
  maximumChargeCents,
  minimumChargeCents,
  parseCents,
  parseFees,
  reaisFromCents,
} from "./money/index.ts"
export { InvalidOption } from "./runtime/options/InvalidOption.ts"
export { invalidCursor, InvalidFilter } from "./runtime/page/InvalidFilter.ts"
export type { Page, PageRequest } from "./runtime/page/Page.ts"
export { pageSize } from "./runtime/page/pageSize.ts"
export type { Period } from "./runtime/page/Period.ts"
export {
  type Cnpj,
  type Company,
  type Cpf,
  InvalidTaxId,
  type InvalidTaxIdReason,
  isCpf,
  isValidCnpj,
  isValidCpf,
  maskTaxId,
  missingPrerequisites,
  normalizeTaxId,
  parseCnpj,
  parseCpf,
  parseTaxId,
  type Payer,
  type Prerequisite,
  type Reseller,
  type TaxId,
  type TaxIdKind,
} from "./party/index.ts"
export { isStorableMoment } from "./runtime/storable/StorableMoment.ts"
export { isStorableText } from "./runtime/storable/StorableText.ts"
export { isLegible, legibleText } from "./runtime/storable/LegibleText.ts"
export { Actor, currentActor, ifNamed } from "./ports/Actor.ts"
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
  type IssuedId,
  type SeenCharge,
  type ShownPlace,
} from "./ports/ChargeStore.ts"
export { Checkout, type CheckoutRoute, type LinkTerms } from "./ports/Checkout.ts"
export { clockToleranceMs, farthestAheadMs } from "./ports/clockLimits.ts"
export { CompanyDirectory } from "./ports/CompanyDirectory.ts"
export type { Diagnosable, DiagnosisOrder, Finding } from "./ports/Diagnosable.ts"
export type { Volatile } from "./ports/Volatile.ts"
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
  type ShownNotice,
  type RefundOrder,
  type RegisteredCharge,
} from "./ports/PaymentProcessor.ts"
export { PaymentSimulator, type PlayOutcome, playOutcomes } from "./ports/PaymentSimulator.ts"
export {
  type ClaimedReconciliation,
  type ListRun,
  type Reconciliation,
  Reconciliations,
  type ReconciliationTurn,
  wakeRestMs,
  type WaitingCharge,
  type WaitingSearch,
} from "./ports/Reconciliations.ts"
export { RevokedTokens } from "./ports/RevokedTokens.ts"
export { storableSettlement } from "./ports/StorableSettlement.ts"
export type { StorePorts } from "./ports/StorePorts.ts"
export { TransactionIds } from "./ports/TransactionIds.ts"
export type { MoveError } from "./charges/ChargeMoves.ts"
export { monotonicMs } from "./runtime/monotonicMs.ts"
export { OutboxSignal } from "./events/OutboxSignal.ts"
export { PaymentExceptions } from "./charges/exceptions/PaymentExceptions.ts"
export { type PaymentPlay, PaymentSimulation, type SimulationError } from "./charges/payments/PaymentSimulation.ts"
export { type IssueError, PixCharges } from "./charges/PixCharges.ts"
export { PixReports } from "./reports/PixReports.ts"
export type { AgeBucket, CountAndCents, DayFigures, Figures, HourFigures, TimeToPayment } from "./reports/Figures.ts"
export type { Story, StoryEntry } from "./reports/StoryEntry.ts"
export type { BegunPartialRefund, BegunRefund, PartialRefundError } from "./charges/refunds/refundCharge.ts"
export { type DispatcherHealth, EventDispatcher } from "./events/EventDispatcher.ts"
export { deliveryByTarget, type EventTaker, hostDelivery } from "./events/hostDelivery.ts"
export type { ExceptionMoveError } from "./charges/exceptions/ExceptionMoves.ts"
export {
  type DirectoryCacheOptions,
  type HostDirectory,
  hostDirectory,
  type HostDirectoryOptions,
} from "./directory/host/hostDirectory.ts"
export { type EndpointOverview, EventOperations } from "./events/EventOperations.ts"
export { type ReconciledRound, type ReconcileError, Reconciler } from "./reconcile/Reconciler.ts"
export { receivedBy, type Receiver } from "./charges/payments/findReceivers.ts"
export type { InspectedPayment, ShownPayment } from "./charges/payments/inspectShown.ts"
export type { NewlyRecorded } from "./charges/payments/recordReceivedPayment.ts"
export type { ComparedPayment, ComparedSide, Comparison, Difference } from "./reconcile/Comparison.ts"
export type { ReconciledPeriod } from "./reconcile/reconcilePeriod.ts"
