import * as Result from "effect/Result"
import { ChargeCancelled, ChargeNotPaid, ChargeRefunding } from "./chargeErrors.ts"
import { PartialRefundConflict, PartialRefundUnderWay, RefundExceedsRest, RefundWindowClosed } from "./paymentErrors.ts"
import {
  type Charge,
  findPart,
  keyCents,
  livePart,
  openPart,
  type PaidCharge,
  type RefundedCharge,
  returnByKey,
  type SettledCharge,
} from "./Charge.ts"
import { nextPaidCheckAt } from "./checkSchedule.ts"
import {
  decideRefund,
  isWhollyReturned,
  keptReason,
  lastReturn,
  type Refundable,
  type RefundCommand,
  type RefundStep,
  requestRefund,
} from "./decideRefund.ts"
import { failedPart, isOwnReturn, type PartialRefund, partialRefundStatus, withPart } from "./PartialRefund.ts"
import type { PartialRefundRequest } from "./PartialRefundRequest.ts"
import type { Return } from "./Payment.ts"
import { attemptNumber, isSameRefund, mayStillBeCarriedOut, partialRefundId } from "./Refund.ts"
import { about, clearChecks, stamp, stay, type Transition } from "./Transition.ts"

export type PartialRefundRefusal =
  | ChargeNotPaid
  | ChargeCancelled
  | ChargeRefunding
  | PartialRefundConflict
  | PartialRefundUnderWay
  | RefundExceedsRest
  | RefundWindowClosed

type Decision = Result.Result<Transition, PartialRefundRefusal>

interface RequestedPart extends Pick<PartialRefund, "key" | "amountCents" | "requestedAt"> {
  readonly reason: string | undefined
}

const toRefundable = (
  charge: SettledCharge,
  { key, amountCents }: Pick<PartialRefund, "key" | "amountCents">,
  part?: PartialRefund,
) => {
  const failedRefund = part && failedPart(part)
  const refundable: Refundable = {
    payment: charge.payment,
    amountCents,
    returns: charge.returns,
    isReturned: (returns) => part !== undefined && partialRefundStatus(part, returns) === "returned",
    attemptId: (attempt) => partialRefundId(charge.payment, key, attempt),
    state: failedRefund === undefined ? (part ?? {}) : { failedRefund },
  }
  return refundable
}

/** Begins a partial refund, or finds it by its key. Total and pure (decision 50). */
export const requestPartialRefund = (
  charge: Charge,
  { key, amountCents, reason }: PartialRefundRequest,
  now: number,
): Decision => {
  if (charge._tag === "Pending") return Result.fail(new ChargeNotPaid(about(charge)))
  if (charge._tag === "Cancelled") return Result.fail(new ChargeCancelled(about(charge)))
  if ((keyCents(charge, key) ?? amountCents) !== amountCents) {
    return Result.fail(new PartialRefundConflict({ ...about(charge), key }))
  }
  const known = findPart(charge, key)
  const returned = returnByKey(charge, key)
  const requested: RequestedPart = {
    key,
    amountCents,
    requestedAt: known?.requestedAt ?? now,
    reason: keptReason(charge, reason),
  }
  const status = known && partialRefundStatus(known, charge.returns)
  if (returned !== undefined && status !== "returned") {
    return Result.succeed(adopt(charge, requested, returned, now))
  }
  if (known !== undefined && status !== "failed") return Result.succeed(stay)
  const mayAllGoBack = charge._tag === "Paid" && charge.failedRefund && mayStillBeCarriedOut(charge.failedRefund, now)
  if (charge._tag === "Refunding" || mayAllGoBack === true) return Result.fail(new ChargeRefunding(about(charge)))
  const open = openPart(charge, now)
  if (open !== undefined && open.key !== key) {
    return Result.fail(new PartialRefundUnderWay({ ...about(charge), key: open.key }))
  }
  return begin(charge, requested, known, now)
}

/** After a restore or a lost commit, the books can lack a return. */
const adopt = (charge: SettledCharge, { reason, ...part }: RequestedPart, { id }: Return, now: number): Transition => {
  const refund = { id, attempt: attemptNumber(id), requestedAt: now, ...(reason !== undefined && { reason }) }
  return moveTo(charge, { ...part, refund }, { _tag: "Recorded", returns: [] }, now)
}

const begin = (
  charge: PaidCharge | RefundedCharge,
  { reason, ...part }: RequestedPart,
  known: PartialRefund | undefined,
  now: number,
): Decision => {
  const decided = decideRefund(toRefundable(charge, part, known), requestRefund(reason), now)
  if (Result.isFailure(decided)) {
    const { failure } = decided
    if (failure._tag === "RefundWindowClosed") {
      return Result.fail(new RefundWindowClosed({ ...about(charge), closedAt: failure.closedAt }))
    }
    const leftCents = Math.max(0, charge.payment.amountCents - failure.returnedCents)
    return Result.fail(new RefundExceedsRest({ ...about(charge), leftCents }))
  }
  const step = decided.success
  if (step._tag !== "Refunding" || charge._tag === "Refunded") return Result.succeed(stay)
  return Result.succeed(moveTo(charge, { ...part, refund: step.refund }, step, now))
}

/** Undefined once its money has gone back. */
export const namedPart = (charge: SettledCharge, command: RefundCommand): PartialRefund | undefined => {
  if (command._tag === "RequestRefund") return undefined
  const isAbout = (part: PartialRefund): boolean =>
    command._tag === "RecordReturn"
      ? isOwnReturn(part, command.returned)
      : isSameRefund(part.refund, { id: command.refundId })
  return charge.partialRefunds?.find(
    (part) => isAbout(part) && partialRefundStatus(part, charge.returns) !== "returned",
  )
}

export const decidePartialRefund = (
  charge: SettledCharge,
  part: PartialRefund,
  command: RefundCommand,
  now: number,
): Transition => {
  const decided = decideRefund(toRefundable(charge, part, part), command, now)
  return Result.match(decided, { onSuccess: (step) => change(charge, part, step, now), onFailure: () => stay })
}

const change = (charge: SettledCharge, part: PartialRefund, step: RefundStep, now: number): Transition => {
  const { rejection: _, ...rest } = part
  switch (step._tag) {
    case "Refunding":
      return moveTo(charge, { ...rest, refund: step.refund }, step, now)
    case "Failed": {
      const { rejection, ...refund } = step.failedRefund
      const { amountCents, key } = part
      const news: Transition["news"] = [{ kind: "refund-failed", refund: step.failedRefund, amountCents, key }]
      // If the whole payment went back, `moveTo` publishes `refunded` instead.
      return { news, ...moveTo(charge, { ...rest, refund, rejection }, step, now) }
    }
    case "Refunded":
      return moveTo(charge, { ...rest, refund: step.refund ?? part.refund }, step, now)
    default:
      return { ...stay, returns: step.returns }
  }
}

const moveTo = (charge: SettledCharge, partialRefund: PartialRefund, step: RefundStep, now: number): Transition => {
  const { returns } = step
  const facts = {
    ...stamp(charge, now),
    returns: [...charge.returns, ...returns],
    partialRefunds: withPart(charge.partialRefunds, partialRefund),
  }
  if (charge._tag !== "Paid") return { ...stay, next: { ...charge, ...facts }, returns, partialRefund }
  const paid: PaidCharge = { ...clearChecks(charge), ...facts }
  if (isWhollyReturned(paid.payment)(paid.returns) && livePart(paid) === undefined) {
    const { failedRefund: _, ...rest } = paid
    const next: RefundedCharge = { ...rest, _tag: "Refunded", refundedAt: lastReturn(paid.returns).returnedAt }
    return { ...stay, next, returns, partialRefund, news: [{ kind: "refunded" }], unsent: "supersede" }
  }
  // A call doesn't change `checkAt`, which is the caller's lease.
  const isCall = step._tag === "Refunding" && step.checkAt === undefined
  const checkAt = isCall ? charge.checkAt : nextPaidCheckAt(paid, now)
  return { ...stay, next: { ...paid, ...(checkAt !== undefined && { checkAt }) }, returns, partialRefund }
}
