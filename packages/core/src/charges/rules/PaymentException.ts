import { type Payment, type Return, returnedCents } from "./Payment.ts"
import type { FailedRefund, Refund } from "./Refund.ts"

/** Why a payment is an exception: a charge had its payment, was cancelled, or none is known for it. */
export type ExceptionReason = "furtherPayment" | "cancelledCharge" | "unmatched"

/** Where an exception stands; instants are epoch milliseconds. Its refund follows the rules of a charge's (`decideRefund`). */
export type ExceptionState =
  | {
      readonly _tag: "Open"
      /** The last refund that the processor did not carry out, with the processor's words. */
      readonly failedRefund?: FailedRefund
    }
  | {
      readonly _tag: "Refunding"
      readonly refund: Refund
      /** When to look the refund up next. Epoch milliseconds. */
      readonly checkAt: number
    }
  | {
      readonly _tag: "Refunded"
      readonly refundId: string
      readonly refundedAt: number
      /** Why the company returned it, if it said so. */
      readonly reason?: string
    }
  | { readonly _tag: "Resolved"; readonly note: string; readonly resolvedAt: number }

/**
 * Where an exception stands as people see it: `returned` once its whole payment went back, from anybody, unless it was
 * resolved before.
 */
export type ExceptionStatus = "open" | "refunding" | "returned" | "resolved"

/** A payment that settled no charge, and what became of it. */
export interface PaymentException {
  readonly payment: Payment
  readonly reason: ExceptionReason
  readonly state: ExceptionState
  /** Counts the moves, from 0. */
  readonly version: number
  readonly returns: ReadonlyArray<Return>
}

/** Where the exception stands. */
export const exceptionStatus = ({ payment, state, returns }: PaymentException): ExceptionStatus => {
  if (state._tag === "Resolved") return "resolved"
  if (state._tag === "Refunded" || returnedCents(payment.endToEndId, returns) >= payment.amountCents) return "returned"
  return state._tag === "Open" ? "open" : "refunding"
}
