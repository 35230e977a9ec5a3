import * as Result from "effect/Result"
import { ExceptionClosed } from "./paymentErrors.ts"
import { decideRefund, isWhollyReturned, type RefundStep } from "./decideRefund.ts"
import type { Return } from "./Payment.ts"
import type { ExceptionState, PaymentException } from "./PaymentException.ts"
import type { FailedRefund } from "./Refund.ts"
import type { RefundCommand } from "./RefundCommand.ts"
import { exceptionRefundId } from "./RefundId.ts"

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
