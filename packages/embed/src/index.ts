export { BootFailure } from "./BootFailure.ts"
export { createPix } from "./createPix.ts"
export {
  type AuditChange,
  type AuditFilter,
  type AuditRecord,
  type ChargeAlreadyPaid,
  type ChargeCancelled,
  type ChargeConflict,
  type ChargeExpired,
  type ChargeNotFound,
  type ChargeNotPaid,
  type ChargePartlyReturned,
  type ChargeRefunded,
  type ChargeRefunding,
  type CheckoutRoute,
  type CompanyNotFound,
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryRecord,
  type DeliveryStatus,
  type Diagnosable,
  type DiagnosisOrder,
  type DirectoryUnavailable,
  type DueDateOutOfRange,
  type EndpointNotFound,
  type EndpointOverview,
  type ExceptionClosed,
  type ExceptionNotFound,
  type ExceptionRefundRejected,
  type Exchange,
  type ExchangeBody,
  type Finding,
  InvalidFilter,
  type ChargeWithoutPage,
  type InvalidLink,
  type InvalidOption,
  type IssuerNotEligible,
  type LinkTerms,
  type NewDelivery,
  type NothingSelected,
  type NoticesRoute,
  type Page,
  type PageRequest,
  type PartialRefundConflict,
  type PartialRefundUnderWay,
  type PayerRecord,
  type PaymentOfAnotherCharge,
  type PaymentOfAnotherCompany,
  type PaymentUnmatched,
  type Period,
  type PeriodTooLarge,
  type PlayOutcome,
  type ProcessorRejected,
  type ProcessorUnavailable,
  type Prose,
  type QueueDepth,
  type RefundExceedsRest,
  type RefundRejected,
  type RefundWindowClosed,
  type ReplaySelection,
  type Reply,
  type SimulationDeclined,
  type StorePorts,
  type StoreUnavailable,
  type TooManyReports,
  type Volatile,
} from "@pixcharge/core"
export type {
  CheckoutPorts,
  CommonOptions,
  DirectoryPorts,
  HostOptions,
  PixOptions,
  ProductionOptions,
  SandboxOptions,
} from "./options.ts"
export type { Administration, PartRefunded } from "./pix/Administration.ts"
export type { Audit, AuditSearch } from "./pix/Audit.ts"
export type { ChargeFilter } from "./pix/ChargeFilter.ts"
export type { CheckoutLinks } from "./pix/CheckoutLinks.ts"
export type { Directory } from "./pix/Directory.ts"
export type { EventFilter, Events, EventSelection } from "./pix/Events.ts"
export type { ExceptionFilter, Exceptions } from "./pix/Exceptions.ts"
export type { Payers } from "./pix/Payers.ts"
export type { Pix } from "./pix/Pix.ts"
export type { SandboxPix } from "./pix/SandboxPix.ts"
export type { TextSignature, TokenAdmin } from "./pix/TokenAdmin.ts"
export { PixDisposed } from "./PixDisposed.ts"
export type { MoveTo } from "./makeRunInPast.ts"
export type { PaymentPlayInput } from "./PaymentPlayInput.ts"
export type { RefundInput } from "./pix/RefundInput.ts"
export type { TickRequest, TickResult } from "./tick.ts"
export type {
  EventTaker,
  PlainCharge,
  PlainComparison,
  PlainEndpoint,
  PlainException,
  PlainPartialRefund,
  PlainPayment,
  PlainStory,
  PlainStoryEntry,
  WithIso,
} from "./plain.ts"
export type { HostLogger } from "./telemetry/HostLogger.ts"
export type {
  OpenTelemetry,
  OpenTelemetryContext,
  OpenTelemetrySpan,
  OpenTelemetryTracer,
} from "./telemetry/OpenTelemetry.ts"
export { isPixError, type PixError } from "./PixError.ts"
export { pixLayer, type PixServices, type SandboxServices } from "./pixLayer.ts"
export type { Holidays, LocalDate } from "@pixcharge/core/calendar"
export type {
  AdditionalInfo,
  CancelledCharge,
  Charge,
  ChargeId,
  ChargeRequestField,
  ChargeRequestInput,
  ChargeStatus,
  ChargeTerms,
  ChargeEvent,
  EventKind,
  EventPayment,
  ExceptionReason,
  ExceptionState,
  ExceptionStatus,
  FailedRefund,
  InvalidChargeId,
  InvalidChargeRequest,
  InvalidPartialRefund,
  InvalidPaymentNotice,
  InvalidRefundReason,
  IssuedCharge,
  PaidCharge,
  PartialRefund,
  PartialRefundInput,
  PartialRefundStatus,
  Payment,
  PaymentException,
  PaymentNoticeInput,
  PendingCharge,
  PixEvent,
  PlainEvent,
  Refund,
  RefundedCharge,
  RefundingCharge,
  Return,
  ReturnKind,
  TestEvent,
  Txid,
} from "@pixcharge/core/charges"
export type {
  CallbackInput,
  CompanyFacts,
  CompanyInput,
  InvalidRegistration,
  KeyRing,
  ResellerFacts,
  ResellerInput,
  RingKey,
} from "@pixcharge/core/directory"
export type {
  AgeBucket,
  ComparedPayment,
  ComparedSide,
  Comparison,
  CountAndCents,
  DayFigures,
  Difference,
  Figures,
  HourFigures,
  ReconciledPeriod,
  RefusedBody,
  Story,
  StoryEntry,
  TimeToPayment,
} from "@pixcharge/core/internal"
export type {
  Abatement,
  Cents,
  DayCount,
  Discount,
  Fees,
  FeesInput,
  Fine,
  FixedOrPercent,
  Interest,
  InvalidFees,
  InvalidFeesReason,
} from "@pixcharge/core/money"
export type {
  Cnpj,
  Company,
  Cpf,
  InvalidTaxId,
  InvalidTaxIdReason,
  Payer,
  Prerequisite,
  Reseller,
  TaxId,
  TaxIdKind,
} from "@pixcharge/core/party"
export type { InvalidTokenId, Responder, TokenOptions } from "@pixcharge/http"
