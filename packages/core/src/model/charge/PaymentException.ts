import * as Result from "effect/Result"
import type { Charge } from "./Charge.ts"
import { chargeIdFromTxid } from "./ChargeId.ts"
import { type Payment, type Return, returnedCents, unknownReturns } from "./Payment.ts"
import type { PaymentNotice } from "./PaymentNotice.ts"
import { exceptionRefundId, type FailedRefund, isChargeRefund, isExceptionRefund, type Refund } from "./Refund.ts"
import { decideRefund, isWhollyReturned, type RefundCommand, type RefundStep } from "./decideRefund.ts"
import { ExceptionClosed } from "./paymentErrors.ts"

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

/** Where a payment stands in the books. */
export interface PaymentStanding extends Pick<Payment, "issuer" | "endToEndId" | "chargeId" | "amountCents"> {
  /** Where its charge stands: the one for which it is recorded, or else the one that it names; absent where neither is known. */
  readonly charge?: Charge["_tag"]
  /** Where it stands as an exception; absent where it settled its charge. */
  readonly exception?: ExceptionState["_tag"]
  /** All that went back of it. */
  readonly returns: ReadonlyArray<Return>
}

/** What is shown of a payment: the ids of its returns are its own as the books write it. */
interface Shown extends Pick<PaymentNotice, "txid"> {
  readonly returns: ReadonlyArray<Return>
}

/**
 * Whether all of the payment is back, and what it belongs to still stands as if it were not; or a refund of its charge returned
 * it, and the charge is settled by another payment.
 */
export const isBehind = ({ endToEndId, amountCents, charge, exception, returns }: PaymentStanding): boolean => {
  const isUnended = exception === undefined ? charge === "Paid" : exception === "Open"
  if (isUnended && returnedCents(endToEndId, returns) >= amountCents) return true
  const isElsewhere =
    exception !== undefined && exception !== "Resolved" && (charge === "Paid" || charge === "Refunding")
  return isElsewhere && returns.some(isChargeRefund)
}

/** Whether it is recorded for its charge, if there is one, and can't settle this any more. */
const isInPlace = ({ issuer, chargeId, charge, returns }: PaymentStanding, { txid }: Shown): boolean => {
  if (charge === undefined) return true
  const named = chargeIdFromTxid(issuer, txid)
  return (charge !== "Pending" || returns.some(isExceptionRefund)) && (named ?? chargeId) === chargeId
}

/** Those of the returns that the books don't have. */
export const newReturns = (standing: PaymentStanding | undefined, { returns }: Shown): ReadonlyArray<Return> =>
  returns.filter((returned) => unknownReturns(standing?.returns ?? [], returned).length > 0)

/**
 * Whether nothing is left to be done for a payment that the books have. A commit that came too late to move its charge has
 * recorded its facts, and its process may have died before it decided again.
 */
export const isSettled = (standing: PaymentStanding, shown: Shown): boolean =>
  isInPlace(standing, shown) &&
  (shown.returns.length === 0 || (!isBehind(standing) && newReturns(standing, shown).length === 0))

/** The commands to a payment that settled no charge. */
export type ExceptionCommand = RefundCommand | { readonly _tag: "Resolve"; readonly note: string }

/** What a command changes of an exception, and the returns to record with it. */
export interface ExceptionTransition {
  /** Absent when the exception stays where it is. */
  readonly next?: ExceptionState
  readonly returns: ReadonlyArray<Return>
  /** The refund that failed with the move, which is told. */
  readonly failedRefund?: FailedRefund
}

type Decision = Result.Result<ExceptionTransition, ExceptionClosed>

/** The rules of an exception's life, total and pure like `decide`: open, then refunding and refunded, or resolved. */
export const decideException = (exception: PaymentException, command: ExceptionCommand, now: number): Decision => {
  const { payment, returns, state } = exception
  if (command._tag === "Resolve") return resolve(exception, command.note, now)
  if (command._tag === "RequestRefund" && state._tag === "Resolved") return refuseClosed(exception, "Resolved")
  const refundable = {
    payment,
    amountCents: payment.amountCents,
    returns,
    isReturned: isWhollyReturned(payment),
    attemptId: (attempt: number) => exceptionRefundId(payment, attempt),
    state: state._tag === "Open" || state._tag === "Refunding" ? state : undefined,
  }
  const decided = decideRefund(refundable, command, now)
  return Result.isSuccess(decided)
    ? Result.succeed(transition(exception, decided.success))
    : refuseClosed(exception, decided.failure._tag)
}

const refuseClosed = ({ payment: { issuer, endToEndId } }: PaymentException, state: string): Decision =>
  Result.fail(new ExceptionClosed({ issuer, endToEndId, state }))

const transition = ({ state }: PaymentException, step: RefundStep): ExceptionTransition => {
  const { returns } = step
  switch (step._tag) {
    case "Unchanged":
      return { returns }
    // It moves all the same: what was decided without knowing the return is stale.
    case "Recorded":
      return { next: state, returns }
    case "Refunding": {
      const { refund, checkAt = state._tag === "Refunding" ? state.checkAt : refund.requestedAt } = step
      return { next: { _tag: "Refunding", refund, checkAt }, returns }
    }
    case "Failed":
      return { next: { _tag: "Open", failedRefund: step.failedRefund }, returns, failedRefund: step.failedRefund }
    case "Refunded": {
      const { last, refund } = step
      const { id, reason } = { ...last, ...refund }
      const refunded = { _tag: "Refunded", refundId: id, refundedAt: last.returnedAt } as const
      return { next: { ...refunded, ...(reason !== undefined && { reason }) }, returns }
    }
  }
}

const resolve = (exception: PaymentException, note: string, now: number): Decision => {
  switch (exception.state._tag) {
    case "Open":
      return Result.succeed({ next: { _tag: "Resolved", note, resolvedAt: now }, returns: [] })
    case "Resolved":
      return Result.succeed({ returns: [] })
    default:
      return refuseClosed(exception, exception.state._tag)
  }
}
