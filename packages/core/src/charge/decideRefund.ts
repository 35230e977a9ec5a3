import * as Result from "effect/Result"
import { ChargeCancelled, ChargeNotPaid, ChargePartlyReturned, RefundWindowClosed } from "../errors.ts"
import type { RefundOutcome } from "./RefundOutcome.ts"
import type { Charge, PaidCharge, RefundedCharge, RefundingCharge } from "./Charge.ts"
import { nextFailedRefundCheckAt, nextRefundCheckAt } from "./checkSchedule.ts"
import { type Return, returnedCentsOf } from "./Payment.ts"
import { isRefusalFinal, nextRefund, type Refund, withCall, withoutCall, withoutCalls } from "./Refund.ts"
import { about, moved, type Refusal, stamp, stay, type Transition } from "./Transition.ts"

/** What may be asked of a refund, of a charge's payment or of an exception. */
export type RefundCommand =
  /** Commits the refund, and that a call for it is about to be made. */
  | { readonly _tag: "RequestRefund" }
  /** Commits that one more call for it is about to be made; moves nothing while too many have no answer. */
  | { readonly _tag: "CallRefund"; readonly refundId: string }
  | RefuseRefund
  /** Commits how it ended, for good. */
  | { readonly _tag: "FinishRefund"; readonly refundId: string; readonly outcome: FinalRefundOutcome }

/** A call for the refund was refused: its end, unless another call may still be carried out. */
export interface RefuseRefund {
  readonly _tag: "RefuseRefund"
  readonly refundId: string
  /** When the call was begun. Epoch milliseconds. */
  readonly calledAt: number
  readonly reason: string
  /** Whether the payment was looked at since, or could not be for an hour; a refusal ends nothing before that. */
  readonly hasLooked: boolean
}

/** How a refund ended, for good. */
export type FinalRefundOutcome = Exclude<RefundOutcome, { readonly _tag: "Processing" }>

/** The central bank allows a return until 90 days after the payment (API Pix, `devolucao`). */
export const refundWindowMs = 90 * 24 * 3_600 * 1_000

/**
 * The refund's id follows from the charge and the attempt. It has the 35 characters of `[a-zA-Z0-9]` that API Pix allows
 * up to the 99th attempt; a processor that refused so often will refuse the longer id too.
 */
export const refundIdOf = (charge: Pick<Charge, "txid">, attempt: number): string => `${charge.txid}R${attempt}`

export const requestRefund = (charge: Charge, now: number): Result.Result<Transition, Refusal> => {
  switch (charge._tag) {
    case "Pending":
      return Result.fail(new ChargeNotPaid(about(charge)))
    case "Cancelled":
      return Result.fail(new ChargeCancelled(about(charge)))
    case "Refunding":
    case "Refunded":
      return Result.succeed(stay)
    case "Paid":
      return beginRefund(charge, now)
  }
}

const beginRefund = (charge: PaidCharge, now: number): Result.Result<Transition, Refusal> => {
  const { issuer, id } = charge
  const returnedCents = returnedCentsOf(charge.payment.endToEndId, charge.returns)
  if (returnedCents > 0) return Result.fail(new ChargePartlyReturned({ issuer, id, returnedCents }))
  const closedAt = charge.payment.paidAt + refundWindowMs
  if (now > closedAt) return Result.fail(new RefundWindowClosed({ issuer, id, closedAt }))
  const { failedRefund, ...paid } = { failedRefund: undefined, ...charge }
  const refund = nextRefund(failedRefund, (attempt) => refundIdOf(charge, attempt), now)
  return Result.succeed({ ...refunding({ ...paid, _tag: "Refunding", refund }, now), unsent: "supersede" })
}

/** The charge with its refund as it stands now, to be looked up again. */
const refunding = (charge: RefundingCharge, now: number): Transition => ({
  ...stay,
  next: { ...charge, ...stamp(charge, now), checkAt: nextRefundCheckAt(charge.refund, now) },
})

const isUnderWay = (charge: Charge, refundId: string): charge is RefundingCharge =>
  charge._tag === "Refunding" && charge.refund.id === refundId

/**
 * Its next check stays where it is: whoever calls has taken the charge until then. Once all is back there is nothing to
 * call for; a call without an answer may have returned it a second time, and is waited for.
 */
export const callRefund = (charge: Charge, refundId: string, now: number): Transition => {
  if (!isUnderWay(charge, refundId)) return stay
  if (isWhollyReturned(charge, charge.returns)) {
    return isRefusalFinal(charge.refund, now) ? refunded(charge, [], lastMomentOf(charge.returns), now) : stay
  }
  const refund = withCall(charge.refund, now)
  return refund === undefined ? stay : { ...stay, next: { ...charge, ...stamp(charge, now), refund } }
}

export const refuseRefund = (
  charge: Charge,
  { refundId, calledAt, reason, hasLooked }: RefuseRefund,
  now: number,
): Transition => {
  if (!isUnderWay(charge, refundId)) return stay
  const refund = withoutCall(charge.refund, calledAt)
  const isFinal = hasLooked && isRefusalFinal(refund, now)
  return isFinal ? fail(charge, refund, reason, now) : refunding({ ...charge, refund }, now)
}

export const finishRefund = (
  charge: Charge,
  refundId: string,
  outcome: FinalRefundOutcome,
  now: number,
): Transition => {
  if (outcome._tag === "Rejected") {
    return isUnderWay(charge, refundId) ? fail(charge, withoutCalls(charge.refund), outcome.reason, now) : stay
  }
  if (charge._tag === "Pending" || charge._tag === "Cancelled") return stay
  const { issuer, payment } = charge
  const { endToEndId, amountCents } = payment
  const { returnedAt } = outcome
  const returned: Return = { issuer, id: refundId, endToEndId, kind: "refund", amountCents, returnedAt }
  if (!isUnderWay(charge, refundId)) return recordReturn(charge, returned, now)
  const fresh = isKnown(charge, returned) ? [] : [returned]
  return refunded(charge, fresh, returnedAt, now, withoutCalls(charge.refund))
}

/** The charge is paid again, unless its money went back elsewhere: that may be the very reason of the refusal. */
const fail = (charge: RefundingCharge, failed: Refund, reason: string, now: number): Transition => {
  if (isWhollyReturned(charge, charge.returns)) return refunded(charge, [], lastMomentOf(charge.returns), now)
  const { refund: _, ...paid } = moved(charge)
  const checkAt = failed.unanswered && nextFailedRefundCheckAt(failed, now)
  const next: PaidCharge = {
    ...paid,
    ...stamp(charge, now),
    _tag: "Paid",
    failedRefund: { ...failed, reason },
    ...(checkAt !== undefined && { checkAt }),
  }
  return { ...stay, next, unsent: "restore" }
}

/** The refund of ours that has this id, whatever was last heard of it. */
const refundOf = (charge: PaidCharge | RefundingCharge, id: string): Refund | undefined => {
  const known = charge._tag === "Refunding" ? charge.refund : charge.failedRefund
  if (known?.id !== id) return undefined
  const { attempt, requestedAt } = known
  return { id, attempt, requestedAt }
}

/**
 * A return counts as soon as it is known, whoever made it and whatever was heard before; once all is back, the charge is
 * refunded. Only while a refund is under way its own answer is waited for, unless the return is that refund.
 */
export const recordReturn = (charge: Charge, returned: Return, now: number): Transition => {
  const fresh = isKnown(charge, returned) ? [] : [returned]
  const isSettling =
    (charge._tag === "Paid" || charge._tag === "Refunding") && charge.payment.endToEndId === returned.endToEndId
  if (!isSettling) return { ...stay, returns: fresh }
  const returns = [...charge.returns, ...fresh]
  // Also for a return that is known: a commit that came too late to move the charge recorded it all the same.
  if (isWhollyReturned(charge, returns) && (charge._tag === "Paid" || isUnderWay(charge, returned.id))) {
    return refunded(charge, fresh, lastMomentOf(returns), now, refundOf(charge, returned.id))
  }
  return fresh.length === 0 ? stay : { ...stay, next: { ...charge, ...stamp(charge, now), returns }, returns: fresh }
}

const isKnown = ({ returns }: Charge, returned: Return): boolean =>
  returns.some(({ id, endToEndId }) => id === returned.id && endToEndId === returned.endToEndId)

const isWhollyReturned = (charge: PaidCharge | RefundingCharge, returns: ReadonlyArray<Return>): boolean =>
  returnedCentsOf(charge.payment.endToEndId, returns) >= charge.payment.amountCents

const lastMomentOf = (returns: ReadonlyArray<Return>): number =>
  returns.reduce((last, { returnedAt }) => Math.max(last, returnedAt), 0)

const refunded = (
  charge: PaidCharge | RefundingCharge,
  fresh: ReadonlyArray<Return>,
  refundedAt: number,
  now: number,
  refund?: Refund,
): Transition => {
  const { failedRefund: _, refund: __, ...rest } = { failedRefund: undefined, refund: undefined, ...moved(charge) }
  const next: RefundedCharge = {
    ...rest,
    ...stamp(charge, now),
    _tag: "Refunded",
    returns: [...charge.returns, ...fresh],
    refundedAt,
    ...(refund && { refund }),
  }
  return { ...stay, next, returns: fresh, announce: "refunded", unsent: "supersede" }
}
