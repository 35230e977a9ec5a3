import * as Result from "effect/Result"
import type { Cents } from "../money/Money.ts"
import type { Charge } from "./Charge.ts"
import { type Payment, type Return, returnedCents, unknownReturns } from "./Payment.ts"
import {
  type FailedRefund,
  type FinalRefundOutcome,
  isKnownToFail,
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

/** The commands to a payment whose money may go back, that of a charge or an exception. */
export type RefundCommand =
  /** Commits the refund, and that the first call for it is about to be made. */
  | RequestRefund
  | CallRefund
  | RefuseRefund
  | FinishRefund
  /** Records money that went back, by us or by others. */
  | { readonly _tag: "RecordReturn"; readonly returned: Return }

/** The first request of a refund counts, and of one that failed the last: a repeat changes no reason. */
export interface RequestRefund {
  readonly _tag: "RequestRefund"
  /** Why the company returns the money, as `parseRefundReason` returns it. */
  readonly reason?: string
}

/** The reason, unless the payer whom it may name was erased: none is kept of such a charge, nor sent. */
export const keptReason = ({ payerErasedAt }: Pick<Charge, "payerErasedAt">, reason: string | undefined) =>
  payerErasedAt === undefined ? reason : undefined

/** The command, with the reason if there is one. */
export const requestRefund = (reason: string | undefined): RequestRefund => ({
  _tag: "RequestRefund",
  ...(reason !== undefined && { reason }),
})

/** Commits that one more call for it is about to be made; changes nothing while too many calls have no answer. */
export interface CallRefund {
  readonly _tag: "CallRefund"
  readonly refundId: string
  /** The processor has the id on record as refused: the call is the next attempt's. */
  readonly isRefused?: true
}

/** One call for the refund was refused. That ends the refund unless another call may still be carried out. */
export interface RefuseRefund {
  readonly _tag: "RefuseRefund"
  readonly refundId: string
  /** When the call was begun. Epoch milliseconds. */
  readonly calledAt: number
  /** The processor's own words. */
  readonly reason: string
  /** Whether the processor has shown the payment since, or has not for an hour; a refusal ends nothing before that. */
  readonly hasLooked: boolean
}

/** Commits how the refund ended, for good. */
export interface FinishRefund {
  readonly _tag: "FinishRefund"
  readonly refundId: string
  /** What it returned, or was to return. */
  readonly amountCents: Cents
  readonly outcome: FinalRefundOutcome
}

/** A payment whose money may go back, and how far that has come: of a charge, or of an exception. */
export interface Refundable {
  readonly payment: Payment
  /** How much the refund returns. */
  readonly amountCents: Cents
  /** What went back so far, by us or by others. */
  readonly returns: ReadonlyArray<Return>
  /** Whether by these returns all is back that was to go back, so that there is nothing to call for. */
  readonly isReturned: (returns: ReadonlyArray<Return>) => boolean
  /** The id of the refund's n-th attempt, from 1. */
  readonly attemptId: (attempt: number) => string
  /** The refund under way, or the last one that failed. Undefined when none can begin any more. */
  readonly state: { readonly refund?: Refund; readonly failedRefund?: FailedRefund } | undefined
}

/** What a command changes, and the returns that are new with it. */
export type RefundStep = { readonly returns: ReadonlyArray<Return> } & (
  | { readonly _tag: "Unchanged" }
  /** Only the returns are new. */
  | { readonly _tag: "Recorded" }
  /** The refund is under way. `checkAt` is when to look it up next, absent where that stays as it was. Epoch milliseconds. */
  | { readonly _tag: "Refunding"; readonly refund: Refund; readonly checkAt?: number }
  | { readonly _tag: "Failed"; readonly failedRefund: FailedRefund }
  /** All is back that was to go back, with the return `last`; `refund` is ours, if that returned it. */
  | { readonly _tag: "Refunded"; readonly last: Return; readonly refund?: Refund }
)

/** Why no refund can begin. */
export type RefundObstacle =
  /** Less is left than it would return. */
  | { readonly _tag: "PartlyReturned"; readonly returnedCents: number }
  /** `closedAt` is in epoch milliseconds. */
  | { readonly _tag: "RefundWindowClosed"; readonly closedAt: number }

const unchanged: RefundStep = { _tag: "Unchanged", returns: [] }

/**
 * The rules of money that goes back, total and pure. Every call is recorded before it is made; a refusal counts only when
 * no other call can still be carried out, and a return counts in every state, under any id (decision 18).
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

/** The refund as it stands now, to be looked up again. */
const refunding = (refund: Refund, now: number): RefundStep => ({
  _tag: "Refunding",
  refund,
  checkAt: nextRefundCheckAt(refund, now),
  returns: [],
})

/**
 * The next check stays as it is: who calls has leased the refund until then. Once others returned so much that it can't be
 * carried out, and must not, there is nothing to call for; but a call without an answer may have been, and is waited for.
 */
const callRefund = (refundable: Refundable, refund: Refund, { isRefused }: CallRefund, now: number): RefundStep => {
  const { payment, amountCents, returns, attemptId } = refundable
  if (returnedCents(payment.endToEndId, returns) + amountCents > payment.amountCents) {
    return isRefusalFinal(refund, now) ? failRefund(refundable, refund, "less is left of the payment") : unchanged
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

/** The refund has failed, unless the money went back elsewhere: that may be the very reason of the refusal. */
const failRefund = (refundable: Refundable, refund: Refund, rejection: string): RefundStep =>
  refundable.isReturned(refundable.returns)
    ? completeRefund(lastReturn(refundable.returns))
    : { _tag: "Failed", failedRefund: { ...refund, rejection }, returns: [] }

/** A return under a refund's id is its own only with its cents: another call may have used the id for others. */
const isOwn = ({ amountCents }: Refundable, refund: Refund, returned: Return): boolean =>
  isSameRefund(refund, returned) && returned.amountCents === amountCents

const finishRefund = (
  refundable: Refundable,
  refund: Refund | undefined,
  { refundId: id, amountCents, outcome }: FinishRefund,
): RefundStep => {
  if (outcome._tag === "Rejected") {
    // The refusal on record of one that was asked for again is the one that was told.
    if (refund === undefined || isKnownToFail(refund)) return unchanged
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

/** Once all is back the payment is refunded; but a refund under way ends only by a return of its own, or by its answer. */
const recordReturn = (refundable: Refundable, returned: Return): RefundStep => {
  const { state } = refundable
  const fresh = unknownReturns(refundable.returns, returned)
  const returns = [...refundable.returns, ...fresh]
  const last = state?.refund ?? state?.failedRefund
  const ours = last !== undefined && isOwn(refundable, last, returned) ? last : undefined
  const mayEnd = state !== undefined && (state.refund === undefined || ours !== undefined)
  // Also for a return that is known: a commit that came too late to move anything recorded it all the same.
  if (mayEnd && refundable.isReturned(returns))
    return completeRefund(lastReturn(returns), fresh, ours && endedRefund(ours))
  return fresh.length === 0 ? unchanged : { _tag: "Recorded", returns: fresh }
}

/** The refund once it has returned the money: neither its calls nor an earlier refusal count any more. */
const endedRefund = ({ id, attempt, requestedAt, reason }: Refund): Refund => ({
  id,
  attempt,
  requestedAt,
  ...(reason !== undefined && { reason }),
})

/** What all of a payment comes to: the rule for a refund that returns it as a whole. */
export const isWhollyReturned =
  ({ endToEndId, amountCents }: Payment) =>
  (returns: ReadonlyArray<Return>): boolean =>
    returnedCents(endToEndId, returns) >= amountCents

/** Of at least one. */
export const lastReturn = (returns: ReadonlyArray<Return>): Return =>
  returns.reduce((last, returned) => (returned.returnedAt >= last.returnedAt ? returned : last))

const completeRefund = (last: Return, returns: ReadonlyArray<Return> = [], refund?: Refund): RefundStep => ({
  _tag: "Refunded",
  last,
  returns,
  ...(refund && { refund }),
})
