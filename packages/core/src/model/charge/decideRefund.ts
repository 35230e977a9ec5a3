import * as Result from "effect/Result"
import type { Cents } from "../money/Money.ts"
import type { Charge } from "./Charge.ts"
import { type Payment, type Return, returnedCents, unknownReturns } from "./Payment.ts"
import {
  type FailedRefund,
  type FinalRefundOutcome,
  isRequestedAgain,
  isRefusalFinal,
  isSameRefund,
  newRefund,
  type Refund,
  refundableUntil,
  sameRefund,
  withCall,
  withoutCall,
  withoutCalls,
} from "./Refund.ts"
import { nextRefundCheckAt } from "./checkSchedule.ts"

export type RefundCommand =
  /** Committed before the first call. */
  | RequestRefund
  | CallRefund
  | RefuseRefund
  | FinishRefund
  | { readonly _tag: "RecordReturn"; readonly returned: Return }

/** A repeated request keeps the first reason, unless the refund failed in between. */
export interface RequestRefund {
  readonly _tag: "RequestRefund"
  /** Parsed by `parseRefundReason`. */
  readonly reason?: string
}

/** Undefined after the payer's erasure, because the reason can name the payer. */
export const keptReason = ({ payerErasedAt }: Pick<Charge, "payerErasedAt">, reason: string | undefined) =>
  payerErasedAt === undefined ? reason : undefined

export const requestRefund = (reason: string | undefined): RequestRefund => ({
  _tag: "RequestRefund",
  ...(reason !== undefined && { reason }),
})

/** Commits one more call, unless too many are unanswered. */
export interface CallRefund {
  readonly _tag: "CallRefund"
  readonly refundId: string
  /** The processor has refused the id for good: this call begins the next attempt. */
  readonly isRefused?: true
}

export interface RefuseRefund {
  readonly _tag: "RefuseRefund"
  readonly refundId: string
  /** Epoch milliseconds. */
  readonly calledAt: number
  readonly reason: string
  /** Whether the processor showed the payment after the call, or failed to for an hour. A refusal ends the refund only then. */
  readonly hasLooked: boolean
}

export interface FinishRefund {
  readonly _tag: "FinishRefund"
  readonly refundId: string
  /** The amount that the refund returned or should have returned. */
  readonly amountCents: Cents
  readonly outcome: FinalRefundOutcome
}

export interface Refundable {
  readonly payment: Payment
  readonly amountCents: Cents
  /** All returns so far, by us or others. */
  readonly returns: ReadonlyArray<Return>
  readonly isReturned: (returns: ReadonlyArray<Return>) => boolean
  /** The id of the refund's n-th attempt, from 1. */
  readonly attemptId: (attempt: number) => string
  /** The refund so far; undefined when no refund can begin any more. */
  readonly state: { readonly refund?: Refund; readonly failedRefund?: FailedRefund } | undefined
}

export type RefundStep = { readonly returns: ReadonlyArray<Return> } & (
  | { readonly _tag: "Unchanged" }
  | { readonly _tag: "Recorded" }
  /** `checkAt` is the next look-up in epoch milliseconds; absent if unchanged. */
  | { readonly _tag: "Refunding"; readonly refund: Refund; readonly checkAt?: number }
  | { readonly _tag: "Failed"; readonly failedRefund: FailedRefund }
  /** The return `last` completes the refund. `refund` is our own refund if it made that return. */
  | { readonly _tag: "Refunded"; readonly last: Return; readonly refund?: Refund }
)

export type RefundObstacle =
  | { readonly _tag: "PartlyReturned"; readonly returnedCents: number }
  /** `closedAt` is in epoch milliseconds. */
  | { readonly _tag: "RefundWindowClosed"; readonly closedAt: number }

const unchanged: RefundStep = { _tag: "Unchanged", returns: [] }

/**
 * The rules of refunds, total and pure (decision 18). Every call is recorded before it is made. A refusal counts when no
 * other call is under way; a return counts in every state, under any id.
 */
export const decideRefund = (
  refundable: Refundable,
  command: RefundCommand,
  now: number,
): Result.Result<RefundStep, RefundObstacle> => {
  if (command._tag === "RequestRefund") return beginRefund(refundable, command.reason, now)
  if (command._tag === "RecordReturn") return Result.succeed(recordReturn(refundable, command.returned))
  const underWay = refundable.state?.refund
  const refund = underWay?.id === command.refundId ? underWay : undefined
  if (command._tag === "FinishRefund") return Result.succeed(finishRefund(refundable, refund, command))
  if (refund === undefined) return Result.succeed(unchanged)
  return Result.succeed(
    command._tag === "CallRefund"
      ? callRefund(refundable, refund, command, now)
      : refuseRefund(refundable, refund, command, now),
  )
}

const beginRefund = (
  refundable: Refundable,
  reason: string | undefined,
  now: number,
): Result.Result<RefundStep, RefundObstacle> => {
  const { payment, amountCents, returns, attemptId, state } = refundable
  if (state === undefined || state.refund !== undefined) return Result.succeed(unchanged)
  const back = returnedCents(payment.endToEndId, returns)
  if (back + amountCents > payment.amountCents) return Result.fail({ _tag: "PartlyReturned", returnedCents: back })
  const closedAt = refundableUntil(payment.paidAt)
  if (now > closedAt) return Result.fail({ _tag: "RefundWindowClosed", closedAt })
  const { failedRefund } = state
  const refund =
    failedRefund === undefined ? newRefund(attemptId, 1, now, reason) : sameRefund(failedRefund, now, reason)
  return Result.succeed(refunding(refund, now))
}

const refunding = (refund: Refund, now: number): RefundStep => ({
  _tag: "Refunding",
  refund,
  checkAt: nextRefundCheckAt(refund, now),
  returns: [],
})

/** Keeps the next check as the caller's lease. */
const callRefund = (refundable: Refundable, refund: Refund, { isRefused }: CallRefund, now: number): RefundStep => {
  const { payment, amountCents, returns, attemptId } = refundable
  if (returnedCents(payment.endToEndId, returns) + amountCents > payment.amountCents) {
    return isRefusalFinal(refund, now) ? failRefund(refundable, refund, "too little of the payment is left") : unchanged
  }
  const called =
    isRefused === true ? newRefund(attemptId, refund.attempt + 1, now, refund.reason) : withCall(refund, now)
  return called === undefined ? unchanged : { _tag: "Refunding", refund: called, returns: [] }
}

const refuseRefund = (refundable: Refundable, refund: Refund, refused: RefuseRefund, now: number): RefundStep => {
  const rest = withoutCall(refund, refused.calledAt)
  return refused.hasLooked && isRefusalFinal(rest, now)
    ? failRefund(refundable, rest, refused.reason)
    : refunding(rest, now)
}

/** The money can have gone back by other means: then the refund is complete. */
const failRefund = (refundable: Refundable, refund: Refund, rejection: string): RefundStep =>
  refundable.isReturned(refundable.returns)
    ? completeRefund(lastReturn(refundable.returns))
    : { _tag: "Failed", failedRefund: { ...refund, rejection }, returns: [] }

/** Another call can have used the id for another amount. */
const isOwn = ({ amountCents }: Refundable, refund: Refund, returned: Return): boolean =>
  isSameRefund(refund, returned) && returned.amountCents === amountCents

const finishRefund = (
  refundable: Refundable,
  refund: Refund | undefined,
  { refundId: id, amountCents, outcome }: FinishRefund,
): RefundStep => {
  if (outcome._tag === "Rejected") {
    // This refusal was recorded before the refund was requested again.
    if (refund === undefined || isRequestedAgain(refund)) return unchanged
    return failRefund(refundable, withoutCalls(refund), outcome.reason)
  }
  const { payment, returns } = refundable
  const { issuer, endToEndId } = payment
  const returned: Return = { issuer, id, endToEndId, kind: "refund", amountCents, returnedAt: outcome.returnedAt }
  if (refund === undefined) return recordReturn(refundable, returned)
  const fresh = unknownReturns(returns, returned)
  const after = { ...refundable, returns: [...returns, ...fresh] }
  const isEnd = after.returns.some((one) => isOwn(refundable, refund, one))
  return isEnd
    ? completeRefund(returned, fresh, withoutCalls(refund))
    : { ...failRefund(after, withoutCalls(refund), "another amount went back under its id"), returns: fresh }
}

const recordReturn = (refundable: Refundable, returned: Return): RefundStep => {
  const { state } = refundable
  const fresh = unknownReturns(refundable.returns, returned)
  const returns = [...refundable.returns, ...fresh]
  const last = state?.refund ?? state?.failedRefund
  const ours = last !== undefined && isOwn(refundable, last, returned) ? last : undefined
  const mayEnd = state !== undefined && (state.refund === undefined || ours !== undefined)
  // A stale commit can have recorded the return.
  if (mayEnd && refundable.isReturned(returns))
    return completeRefund(lastReturn(returns), fresh, ours && endedRefund(ours))
  return fresh.length === 0 ? unchanged : { _tag: "Recorded", returns: fresh }
}

const endedRefund = ({ id, attempt, requestedAt, reason }: Refund): Refund => ({
  id,
  attempt,
  requestedAt,
  ...(reason !== undefined && { reason }),
})

export const isWhollyReturned =
  ({ endToEndId, amountCents }: Payment) =>
  (returns: ReadonlyArray<Return>): boolean =>
    returnedCents(endToEndId, returns) >= amountCents

export const lastReturn = (returns: ReadonlyArray<Return>): Return =>
  returns.reduce((last, returned) => (returned.returnedAt >= last.returnedAt ? returned : last))

const completeRefund = (last: Return, returns: ReadonlyArray<Return> = [], refund?: Refund): RefundStep => ({
  _tag: "Refunded",
  last,
  returns,
  ...(refund && { refund }),
})
