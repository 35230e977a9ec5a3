import type { LocalDate } from "../calendar/LocalDate.ts"
import type { Charge } from "../charges/rules/Charge.ts"
import type { PartialRefund, PartialRefundStatus } from "../charges/rules/PartialRefund.ts"
import type { Payment, Return } from "../charges/rules/Payment.ts"
import type { PaymentException } from "../charges/rules/PaymentException.ts"
import type { Cents } from "../money/Money.ts"
import type { AuditRecord } from "../ports/AuditLog.ts"
import type { DeliveryAttempt, DeliveryRecord } from "../ports/Outbox.ts"

/** One thing that happened to a charge; `at` is in epoch milliseconds, of business time; of `audit` as `AuditRecord` says. */
export type StoryEntry = { readonly at: number } & (
  | { readonly kind: "issued"; readonly amountCents: Cents; readonly dueDate?: LocalDate }
  /** The moment until which it was promised to be payable went by unpaid; it may have been paid later. */
  | { readonly kind: "expired" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "payerErased" }
  /** The payment that settled it. */
  | { readonly kind: "paid"; readonly payment: Payment }
  /** A payment that didn't settle it, when it was made. */
  | { readonly kind: "exception"; readonly exception: PaymentException }
  /** The last refund of an exception that was asked for; `reason` is the company's, `rejection` the processor's words of one that failed. */
  | {
      readonly kind: "exceptionRefund"
      readonly endToEndId: string
      readonly status: PartialRefundStatus
      readonly reason?: string
      readonly rejection?: string
    }
  | { readonly kind: "exceptionResolved"; readonly endToEndId: string; readonly note: string }
  /** The last refund of the whole payment that was asked for; `reason` is the company's, `rejection` the processor's words of one that failed. */
  | {
      readonly kind: "refund"
      readonly amountCents: Cents
      readonly status: PartialRefundStatus
      readonly reason?: string
      readonly rejection?: string
    }
  | { readonly kind: "partialRefund"; readonly partialRefund: PartialRefund; readonly status: PartialRefundStatus }
  /** Money that went back, of its payment or of one that is an exception. */
  | { readonly kind: "return"; readonly returned: Return }
  /** Its whole payment is back. */
  | { readonly kind: "refunded" }
  /** An event on its way to one endpoint, by the moment of the event. */
  | { readonly kind: "event"; readonly delivery: DeliveryRecord }
  | {
      readonly kind: "attempt"
      readonly eventId: string
      readonly endpointId: string
      readonly attempt: DeliveryAttempt
    }
  | { readonly kind: "audit"; readonly record: AuditRecord }
)

/** A charge and all that happened to it. */
export interface Story {
  readonly charge: Charge
  /** Oldest first. */
  readonly entries: ReadonlyArray<StoryEntry>
  /** There is more than a story holds: the latest exceptions, or the oldest deliveries, attempts or records are left out. */
  readonly isCut: boolean
}
