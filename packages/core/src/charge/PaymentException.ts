import type { Payment, Return } from "./Payment.ts"
import type { FailedRefund } from "./Refund.ts"

/** Why a payment is an exception: a charge had its payment, was cancelled, or none is known for it. */
export type ExceptionReason = "furtherPayment" | "cancelledCharge" | "unmatched"

/** Where an exception stands. Its own refund is committed before it is asked for, like a charge's (design §2). */
export type ExceptionState =
  | {
      readonly _tag: "Open"
      /** The last refund that the processor did not carry out, with its reason. */
      readonly failedRefund?: FailedRefund
    }
  | {
      readonly _tag: "Refunding"
      readonly refundId: string
      readonly attempt: number
      readonly requestedAt: number
      /** As in `Refund`. */
      readonly unanswered?: ReadonlyArray<number>
      /** When the processor should next be asked what became of it. */
      readonly checkAt: number
    }
  | { readonly _tag: "Refunded"; readonly refundId: string; readonly refundedAt: number }
  | { readonly _tag: "Resolved"; readonly note: string; readonly resolvedAt: number }

/** A payment that settled no charge, and what became of it. */
export interface PaymentException {
  readonly payment: Payment
  readonly reason: ExceptionReason
  readonly state: ExceptionState
  /** Counts the moves, from 0. */
  readonly version: number
  readonly returns: ReadonlyArray<Return>
}
