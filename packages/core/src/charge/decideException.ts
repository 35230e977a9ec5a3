import * as Result from "effect/Result"
import { ExceptionClosed } from "../errors.ts"
import type { ExceptionState, PaymentException } from "../ports/ChargeArchive.ts"
import { nextRefundCheckAt } from "./checkSchedule.ts"
import { type FinalRefundOutcome, refundWindowMs } from "./decide.ts"
import { type Return, returnedCentsOf } from "./Payment.ts"

/** What may be asked of a payment that settled no charge. */
export type ExceptionCommand =
  | { readonly _tag: "RequestRefund" }
  | { readonly _tag: "FinishRefund"; readonly refundId: string; readonly outcome: FinalRefundOutcome }
  | { readonly _tag: "RecordReturn"; readonly returned: Return }
  | { readonly _tag: "Resolve"; readonly note: string }

/** What a command changes of an exception, and the money facts to record with it. */
export interface ExceptionTransition {
  /** Absent when the exception stays where it is. */
  readonly next?: ExceptionState
  readonly returns: ReadonlyArray<Return>
}

type Decision = Result.Result<ExceptionTransition, ExceptionClosed>

const stay: Decision = Result.succeed({ returns: [] })
const move = (next: ExceptionState, returns: ReadonlyArray<Return> = []): Decision => Result.succeed({ next, returns })

/** The rules of an exception's life, total and pure like `decide`: open, then refunding and refunded, or resolved. */
export const decideException = (exception: PaymentException, command: ExceptionCommand, now: number): Decision => {
  switch (command._tag) {
    case "RequestRefund":
      return requestRefund(exception, now)
    case "FinishRefund":
      return finishRefund(exception, command.refundId, command.outcome)
    case "RecordReturn":
      return recordReturn(exception, command.returned)
    case "Resolve":
      return resolve(exception, command.note, now)
  }
}

const closed = ({ payment }: PaymentException, state: string): Decision =>
  Result.fail(new ExceptionClosed({ issuer: payment.issuer, endToEndId: payment.endToEndId, state }))

/** 35 characters at most (API Pix, `devolucao.id`); the version makes it new after a refund that was not carried out. */
const refundIdOf = ({ payment, version }: PaymentException): string => `${payment.endToEndId}X${version}`

const requestRefund = (exception: PaymentException, now: number): Decision => {
  const { payment, returns, state, version } = exception
  switch (state._tag) {
    case "Refunding":
    case "Refunded":
      return stay
    case "Resolved":
      return closed(exception, "Resolved")
    case "Open":
      if (returnedCentsOf(payment.endToEndId, returns) > 0) return closed(exception, "PartlyReturned")
      if (now > payment.paidAt + refundWindowMs) return closed(exception, "RefundWindowClosed")
      return move({
        _tag: "Refunding",
        refundId: refundIdOf(exception),
        attempt: version,
        requestedAt: now,
        checkAt: nextRefundCheckAt({ requestedAt: now }, now),
      })
  }
}

const finishRefund = (
  { payment, state }: PaymentException,
  refundId: string,
  outcome: FinalRefundOutcome,
): Decision => {
  if (state._tag !== "Refunding" || state.refundId !== refundId) return stay
  if (outcome._tag === "Rejected") return move({ _tag: "Open" })
  const { issuer, endToEndId, amountCents } = payment
  const { returnedAt } = outcome
  return move({ _tag: "Refunded", refundId, refundedAt: returnedAt }, [
    { issuer, id: refundId, endToEndId, kind: "refund", amountCents, returnedAt },
  ])
}

/** A return made elsewhere is a fact beside the exception, which ends by itself once all is back. */
const recordReturn = ({ state, returns }: PaymentException, returned: Return): Decision => {
  if (state._tag === "Refunding" && state.refundId === returned.id) {
    return move({ _tag: "Refunded", refundId: returned.id, refundedAt: returned.returnedAt }, [returned])
  }
  return returns.some(({ id }) => id === returned.id) ? stay : move(state, [returned])
}

const resolve = (exception: PaymentException, note: string, now: number): Decision => {
  switch (exception.state._tag) {
    case "Open":
      return move({ _tag: "Resolved", note, resolvedAt: now })
    case "Resolved":
      return stay
    default:
      return closed(exception, exception.state._tag)
  }
}
