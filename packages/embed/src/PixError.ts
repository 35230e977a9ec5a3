import type {
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
  InvalidFilter,
  ChargeWithoutPage,
  InvalidLink,
  InvalidOption,
  IssuerNotEligible,
  NothingSelected,
  PartialRefundConflict,
  PartialRefundUnderWay,
  PaymentOfAnotherCharge,
  PaymentOfAnotherCompany,
  PaymentUnmatched,
  PeriodTooLarge,
  ProcessorRejected,
  ProcessorUnavailable,
  RefundExceedsRest,
  RefundRejected,
  RefundWindowClosed,
  SimulationDeclined,
  StoreUnavailable,
  TooManyReports,
} from "@pixcharge/core"
import type {
  ChangeConflict,
  ChangeRejected,
  ChangeUnderWay,
  ChargeNotChangeable,
  InvalidChargeChange,
  InvalidChargeId,
  InvalidChargeRequest,
  InvalidPartialRefund,
  InvalidPaymentNotice,
  InvalidRefundReason,
} from "@pixcharge/core/charges"
import type { InvalidRegistration } from "@pixcharge/core/directory"
import { isOfOurs } from "@pixcharge/core/internal"
import type { InvalidFees } from "@pixcharge/core/money"
import type { InvalidTaxId } from "@pixcharge/core/party"
import type { InvalidTokenId } from "@pixcharge/http"
import type {
  AmountIsFixed,
  CancelTooLate,
  CycleNotOpen,
  InvalidRecurrenceId,
  InvalidRecurrenceRequest,
  PayerHasRecurrence,
  RecurrenceConflict,
  RecurrenceNotApproved,
  RecurrenceNotFound,
  RetryNotPossible,
  SolicitationOutOfRange,
  StartDateTooEarly,
} from "@pixcharge/core/recurrence"
import type { BootFailure } from "./instance/BootFailure.ts"
import type { PixDisposed } from "./instance/Instance.ts"

/** Every error that a call of `Pix` rejects with. Its `_tag` and `code` are stable; docs/errors.md lists remedies. */
export type PixError =
  | AmountIsFixed
  | BootFailure
  | CancelTooLate
  | ChangeConflict
  | ChangeRejected
  | ChangeUnderWay
  | ChargeAlreadyPaid
  | ChargeCancelled
  | ChargeConflict
  | ChargeExpired
  | ChargeNotChangeable
  | ChargeNotFound
  | ChargeNotPaid
  | ChargePartlyReturned
  | ChargeRefunded
  | ChargeRefunding
  | ChargeWithoutPage
  | CompanyNotFound
  | CycleNotOpen
  | DirectoryUnavailable
  | DueDateOutOfRange
  | EndpointNotFound
  | ExceptionClosed
  | ExceptionNotFound
  | ExceptionRefundRejected
  | InvalidChargeChange
  | InvalidChargeId
  | InvalidChargeRequest
  | InvalidFees
  | InvalidFilter
  | InvalidLink
  | InvalidOption
  | InvalidPartialRefund
  | InvalidPaymentNotice
  | InvalidRecurrenceId
  | InvalidRecurrenceRequest
  | InvalidRefundReason
  | InvalidRegistration
  | InvalidTaxId
  | InvalidTokenId
  | IssuerNotEligible
  | NothingSelected
  | PartialRefundConflict
  | PartialRefundUnderWay
  | PayerHasRecurrence
  | PaymentOfAnotherCharge
  | PaymentOfAnotherCompany
  | PaymentUnmatched
  | PeriodTooLarge
  | PixDisposed
  | ProcessorRejected
  | ProcessorUnavailable
  | RecurrenceConflict
  | RecurrenceNotApproved
  | RecurrenceNotFound
  | RefundExceedsRest
  | RefundRejected
  | RefundWindowClosed
  | RetryNotPossible
  | SimulationDeclined
  | SolicitationOutOfRange
  | StartDateTooEarly
  | StoreUnavailable
  | TooManyReports

/**
 * True for pixcharge's errors, with this tag if a tag is given. Recognises errors of another copy of the package, where
 * `instanceof` fails.
 *
 * @example
 * ```ts
 * import { isPixError, type Pix } from "@pixcharge/embed"
 *
 * declare const pix: Pix
 * try {
 *   await pix.cancel("12345678000195", "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c")
 * } catch (error) {
 *   if (!isPixError(error, "ChargeAlreadyPaid")) throw error
 *   await pix.refund(error.issuer, error.id)
 * }
 * ```
 */
export function isPixError(error: unknown): error is PixError
export function isPixError<Tag extends PixError["_tag"]>(
  error: unknown,
  tag: Tag,
): error is Extract<PixError, { readonly _tag: Tag }>
export function isPixError(error: unknown, tag?: string): boolean {
  return isOfOurs(error) && (tag === undefined || error._tag === tag)
}
