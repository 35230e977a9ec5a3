import * as Result from "effect/Result"
import type { Charge } from "./Charge.ts"
import { chargeIdFromTxid } from "./ChargeId.ts"
import { type Payment, type Return, returnedCents, unknownReturns } from "./Payment.ts"
import type { PaymentNotice } from "./PaymentNotice.ts"
import { exceptionRefundId, type FailedRefund, isChargeRefund, isExceptionRefund, type Refund } from "./Refund.ts"
import { decideRefund, isWhollyReturned, lastReturn, type RefundCommand, type RefundStep } from "./decideRefund.ts"
import { ExceptionClosed } from "./paymentErrors.ts"

/** The payment's charge was already paid or cancelled, or is unknown. */
export type ExceptionReason = "furtherPayment" | "cancelledCharge" | "unmatched"

/** Instants are epoch milliseconds. `decideRefund` has the rules of the refund. */
export type ExceptionState =
  | {
      readonly _tag: "Open"
      readonly failedRefund?: FailedRefund
    }
  | {
      readonly _tag: "Refunding"
      readonly refund: Refund
      /** The next look-up of the refund. */
      readonly checkAt: number
    }
  | {
      readonly _tag: "Refunded"
      readonly refundId: string
      readonly refundedAt: number
      readonly reason?: string
    }
  | {
      readonly _tag: "Resolved"
      readonly note: string
      readonly resolvedAt: number
      /** When the whole payment had gone back nevertheless. */
      readonly returnedAt?: number
    }

/** `returned`: the whole payment went back, and the exception wasn't resolved before. */
export type ExceptionStatus = "open" | "refunding" | "returned" | "resolved"

/** A payment that settled no charge, with its state and returns. */
export interface PaymentException {
  readonly payment: Payment
  readonly reason: ExceptionReason
  readonly state: ExceptionState
  /** Counts moves from 0. */
  readonly version: number
  readonly returns: ReadonlyArray<Return>
}

export const exceptionStatus = ({ payment, state, returns }: PaymentException): ExceptionStatus => {
  if (state._tag === "Resolved") return "resolved"
  if (state._tag === "Refunded" || returnedCents(payment.endToEndId, returns) >= payment.amountCents) return "returned"
  return state._tag === "Open" ? "open" : "refunding"
}

export interface PaymentStanding extends Pick<Payment, "issuer" | "endToEndId" | "chargeId" | "amountCents"> {
  /** Of the charge that the payment is recorded for or names. */
  readonly charge?: Charge["_tag"]
  /** Absent if the payment settled its charge. */
  readonly exception?: ExceptionState["_tag"]
  /** The resolved exception has its whole return (`returnedAt`). */
  readonly isReturned?: true
  readonly returns: ReadonlyArray<Return>
}

/** Its returns have the endToEndId as written in the books. */
interface Shown extends Pick<PaymentNotice, "txid"> {
  readonly returns: ReadonlyArray<Return>
}

/**
 * Whether the books are behind the returns: the whole payment went back, but its charge is paid, or its exception open or without
 * that return; or a refund of the charge returned this payment, but another one settles the charge.
 */
export const isBehind = (standing: PaymentStanding): boolean => {
  const { endToEndId, amountCents, charge, exception, isReturned, returns } = standing
  const isUnendedException = exception === "Open" || (exception === "Resolved" && isReturned !== true)
  const isUnended = exception === undefined ? charge === "Paid" : isUnendedException
  if (isUnended && returnedCents(endToEndId, returns) >= amountCents) return true
  const isElsewhere =
    exception !== undefined && exception !== "Resolved" && (charge === "Paid" || charge === "Refunding")
  return isElsewhere && returns.some(isChargeRefund)
}

/** Whether the payment is recorded for its charge and can't settle it any more. */
const isInPlace = ({ issuer, chargeId, charge, returns }: PaymentStanding, { txid }: Shown): boolean => {
  if (charge === undefined) return true
  const named = chargeIdFromTxid(issuer, txid)
  return (charge !== "Pending" || returns.some(isExceptionRefund)) && (named ?? chargeId) === chargeId
}

export const newReturns = (standing: PaymentStanding | undefined, { returns }: Shown): ReadonlyArray<Return> =>
  returns.filter((returned) => unknownReturns(standing?.returns ?? [], returned).length > 0)

/** Whether a recorded payment needs no further move. It needs one after a stale commit. */
export const isSettled = (standing: PaymentStanding, shown: Shown): boolean =>
  isInPlace(standing, shown) &&
  (shown.returns.length === 0 || (!isBehind(standing) && newReturns(standing, shown).length === 0))

export type ExceptionCommand = RefundCommand | { readonly _tag: "Resolve"; readonly note: string }

export interface ExceptionTransition {
  readonly next?: ExceptionState
  readonly returns: ReadonlyArray<Return>
  readonly failedRefund?: FailedRefund
  /** The whole payment has gone back. */
  readonly isReturned?: true
}

type Decision = Result.Result<ExceptionTransition, ExceptionClosed>

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

const transition = (exception: PaymentException, step: RefundStep): ExceptionTransition => {
  const { state } = exception
  const { returns } = step
  if (state._tag === "Resolved" && state.returnedAt === undefined) return recordDespite(exception, state, returns)
  switch (step._tag) {
    case "Unchanged":
      return { returns }
    // The version grows: decisions made without this return become stale.
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
      return { next: { ...refunded, ...(reason !== undefined && { reason }) }, returns, isReturned: true }
    }
  }
}

const recordDespite = (
  { payment, returns: known }: PaymentException,
  resolved: Extract<ExceptionState, { readonly _tag: "Resolved" }>,
  returns: ReadonlyArray<Return>,
): ExceptionTransition => {
  const all = [...known, ...returns]
  if (!isWhollyReturned(payment)(all)) return returns.length === 0 ? { returns } : { next: resolved, returns }
  return { next: { ...resolved, returnedAt: lastReturn(all).returnedAt }, returns, isReturned: true }
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
