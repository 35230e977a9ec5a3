import * as Result from "effect/Result"
import { ExceptionClosed } from "../errors.ts"
import type { ExceptionState, PaymentException } from "./PaymentException.ts"
import { nextRefundCheckAt } from "./checkSchedule.ts"
import { type FinalRefundOutcome, type RefundCommand, refundWindowMs, type RefuseRefund } from "./decideRefund.ts"
import { type Return, returnedCentsOf } from "./Payment.ts"
import { isRefusalFinal, nextRefund, type Refund, withCall, withoutCall, withoutCalls } from "./Refund.ts"

/** What may be asked of a payment that settled no charge. */
export type ExceptionCommand =
  | RefundCommand
  | { readonly _tag: "RecordReturn"; readonly returned: Return }
  | { readonly _tag: "Resolve"; readonly note: string }

/** What a command changes of an exception, and the money facts to record with it. */
export interface ExceptionTransition {
  /** Absent when the exception stays where it is. */
  readonly next?: ExceptionState
  readonly returns: ReadonlyArray<Return>
}

type Decision = Result.Result<ExceptionTransition, ExceptionClosed>

const stay: ExceptionTransition = { returns: [] }
const move = (next: ExceptionState, returns: ReadonlyArray<Return> = []): ExceptionTransition => ({ next, returns })

/** The rules of an exception's life, total and pure like `decide`: open, then refunding and refunded, or resolved. */
export const decideException = (exception: PaymentException, command: ExceptionCommand, now: number): Decision => {
  switch (command._tag) {
    case "RequestRefund":
      return requestRefund(exception, now)
    case "CallRefund":
      return Result.succeed(callRefund(exception, command.refundId, now))
    case "RefuseRefund":
      return Result.succeed(refuseRefund(exception, command, now))
    case "FinishRefund":
      return Result.succeed(finishRefund(exception, command.refundId, command.outcome))
    case "RecordReturn":
      return Result.succeed(recordReturn(exception, command.returned))
    case "Resolve":
      return resolve(exception, command.note, now)
  }
}

const closed = ({ payment }: PaymentException, state: string): Decision =>
  Result.fail(new ExceptionClosed({ issuer: payment.issuer, endToEndId: payment.endToEndId, state }))

/** The 35 characters that API Pix allows (`devolucao.id`), up to the 100th attempt. */
const refundIdOf = ({ payment }: PaymentException, attempt: number): string => `${payment.endToEndId}X${attempt - 1}`

const requestRefund = (exception: PaymentException, now: number): Decision => {
  const { payment, returns, state } = exception
  switch (state._tag) {
    case "Refunding":
    case "Refunded":
      return Result.succeed(stay)
    case "Resolved":
      return closed(exception, "Resolved")
    case "Open":
      if (returnedCentsOf(payment.endToEndId, returns) > 0) return closed(exception, "PartlyReturned")
      if (now > payment.paidAt + refundWindowMs) return closed(exception, "RefundWindowClosed")
      return Result.succeed(
        refunding(
          nextRefund(state.failedRefund, (attempt) => refundIdOf(exception, attempt), now),
          now,
        ),
      )
  }
}

const refunding = ({ id, ...refund }: Refund, now: number, checkAt = nextRefundCheckAt(refund, now)) =>
  move({ _tag: "Refunding", refundId: id, ...refund, checkAt })

type Refunding = Extract<ExceptionState, { readonly _tag: "Refunding" }>

const isUnderWay = (state: ExceptionState, refundId: string): state is Refunding =>
  state._tag === "Refunding" && state.refundId === refundId

/** The refund that is under way. */
export const exceptionRefund = ({ _tag, refundId, checkAt: _, ...refund }: Refunding): Refund => ({
  id: refundId,
  ...refund,
})

/** As for a charge (`callRefund` of `decideRefund.ts`). */
const callRefund = (exception: PaymentException, refundId: string, now: number): ExceptionTransition => {
  const { state } = exception
  if (!isUnderWay(state, refundId)) return stay
  if (isWhollyReturned(exception, [])) {
    return isRefusalFinal(exceptionRefund(state), now) ? move(returnedElsewhere(exception)) : stay
  }
  const refund = withCall(exceptionRefund(state), now)
  return refund === undefined ? stay : refunding(refund, now, state.checkAt)
}

const refuseRefund = (
  exception: PaymentException,
  { refundId, calledAt, reason, hasLooked }: RefuseRefund,
  now: number,
): ExceptionTransition => {
  const { state } = exception
  if (!isUnderWay(state, refundId)) return stay
  const refund = withoutCall(exceptionRefund(state), calledAt)
  return hasLooked && isRefusalFinal(refund, now) ? fail(exception, refund, reason) : refunding(refund, now)
}

/** The exception is open again, unless its money went back elsewhere. */
const fail = (exception: PaymentException, failed: Refund, reason: string): ExceptionTransition =>
  move(
    isWhollyReturned(exception, [])
      ? returnedElsewhere(exception)
      : { _tag: "Open", failedRefund: { ...failed, reason } },
  )

const finishRefund = (
  exception: PaymentException,
  refundId: string,
  outcome: FinalRefundOutcome,
): ExceptionTransition => {
  const { payment, state } = exception
  if (outcome._tag === "Rejected") {
    return isUnderWay(state, refundId) ? fail(exception, withoutCalls(exceptionRefund(state)), outcome.reason) : stay
  }
  const { issuer, endToEndId, amountCents } = payment
  const { returnedAt } = outcome
  return recordReturn(exception, { issuer, id: refundId, endToEndId, kind: "refund", amountCents, returnedAt })
}

/**
 * A return counts whoever made it and whatever was heard before; once all is back the exception is refunded, unless
 * somebody resolved it: that note stays.
 */
const recordReturn = (exception: PaymentException, returned: Return): ExceptionTransition => {
  const { state, returns } = exception
  const fresh = returns.some(({ id }) => id === returned.id) ? [] : [returned]
  const { id: refundId, returnedAt: refundedAt } = returned
  if (isUnderWay(state, refundId)) return move({ _tag: "Refunded", refundId, refundedAt }, fresh)
  if (state._tag === "Open" && isWhollyReturned(exception, fresh)) {
    return move({ _tag: "Refunded", refundId, refundedAt }, fresh)
  }
  return fresh.length === 0 ? stay : move(state, fresh)
}

const isWhollyReturned = ({ payment, returns }: PaymentException, fresh: ReadonlyArray<Return>): boolean =>
  returnedCentsOf(payment.endToEndId, [...returns, ...fresh]) >= payment.amountCents

const returnedElsewhere = ({ returns }: PaymentException): ExceptionState => {
  const last = returns.reduce((a, b) => (b.returnedAt > a.returnedAt ? b : a))
  return { _tag: "Refunded", refundId: last.id, refundedAt: last.returnedAt }
}

const resolve = (exception: PaymentException, note: string, now: number): Decision => {
  switch (exception.state._tag) {
    case "Open":
      return Result.succeed(move({ _tag: "Resolved", note, resolvedAt: now }))
    case "Resolved":
      return Result.succeed(stay)
    default:
      return closed(exception, exception.state._tag)
  }
}
