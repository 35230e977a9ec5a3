import * as Result from "effect/Result"
import { ChargeCancelled, ChargeNotPaid } from "./chargeErrors.ts"
import { ChargePartlyReturned, RefundWindowClosed } from "./refundErrors.ts"
import type { CancelledCharge, Charge, PaidCharge, PendingCharge, RefundedCharge } from "./Charge.ts"
import { nextPaidCheckAt } from "./checkSchedule.ts"
import { decidePartialRefund, namedPart } from "./decidePartialRefund.ts"
import { decideRefund, isWhollyReturned, type RefundObstacle, type RefundStep } from "./decideRefund.ts"
import { livePart, openPart, type SettledCharge } from "./chargeParts.ts"
import { keptReason, type RefundCommand, requestRefund } from "./RefundCommand.ts"
import { chargeRefundId } from "./RefundId.ts"
import { returnedCents, unknownReturns } from "./Payment.ts"
import { about, clearChecks, type Refusal, stamp, stay, type Transition } from "./Transition.ts"

/** What a refund command changes of a charge: the rules of `decideRefund`, and the states of a charge. */
export const decideChargeRefund = (
  charge: Charge,
  given: RefundCommand,
  now: number,
): Result.Result<Transition, Refusal> => {
  const command = given._tag === "RequestRefund" ? requestRefund(keptReason(charge, given.reason)) : given
  if (charge._tag === "Pending" || charge._tag === "Cancelled") return decideUnpaid(charge, command)
  if (command._tag === "RecordReturn" && command.returned.endToEndId !== charge.payment.endToEndId) {
    return Result.succeed({ ...stay, returns: unknownReturns(charge.returns, command.returned) })
  }
  const { payment, returns } = charge
  const part = namedPart(charge, command)
  if (part !== undefined) return Result.succeed(decidePartialRefund(charge, part, command, now))
  if (command._tag === "RequestRefund" && charge._tag === "Paid" && openPart(charge, now) !== undefined) {
    return Result.fail(
      refusal(charge, { _tag: "PartlyReturned", returnedCents: returnedCents(payment.endToEndId, returns) }),
    )
  }
  const refundable = {
    payment,
    amountCents: payment.amountCents,
    returns,
    isReturned: isWhollyReturned(payment),
    attemptId: (attempt: number) => chargeRefundId(payment, attempt),
    // While a part is under way nothing else ends the charge.
    state: charge._tag === "Refunded" || livePart(charge) !== undefined ? undefined : charge,
  }
  return Result.mapBoth(decideRefund(refundable, command, now), {
    onFailure: (obstacle) => refusal(charge, obstacle),
    onSuccess: (step) => transition(charge, step, now),
  })
}

const decideUnpaid = (
  charge: PendingCharge | CancelledCharge,
  command: RefundCommand,
): Result.Result<Transition, Refusal> => {
  if (command._tag === "RecordReturn") {
    return Result.succeed({ ...stay, returns: unknownReturns(charge.returns, command.returned) })
  }
  if (command._tag !== "RequestRefund") return Result.succeed(stay)
  return Result.fail(charge._tag === "Pending" ? new ChargeNotPaid(about(charge)) : new ChargeCancelled(about(charge)))
}

const refusal = ({ issuer, id }: SettledCharge, obstacle: RefundObstacle): Refusal =>
  obstacle._tag === "PartlyReturned"
    ? new ChargePartlyReturned({ issuer, id, returnedCents: obstacle.returnedCents })
    : new RefundWindowClosed({ issuer, id, closedAt: obstacle.closedAt })

const transition = (charge: SettledCharge, step: RefundStep, now: number): Transition => {
  const { returns } = step
  if (charge._tag === "Refunded" || step._tag === "Unchanged") return { ...stay, returns }
  const {
    failedRefund: _,
    refund: __,
    ...rest
  } = { failedRefund: undefined, refund: undefined, ...clearChecks(charge) }
  const next = { ...rest, ...stamp(charge, now), returns: [...charge.returns, ...returns] }
  switch (step._tag) {
    case "Recorded":
      return { ...stay, next: { ...charge, ...stamp(charge, now), returns: next.returns }, returns }
    case "Refunding": {
      const { refund, checkAt = charge.checkAt } = step
      return {
        ...stay,
        next: { ...next, _tag: "Refunding", refund, ...(checkAt !== undefined && { checkAt }) },
        ...(charge._tag === "Paid" && { unsent: "supersede" }),
      }
    }
    case "Failed": {
      const { failedRefund } = step
      const paid: PaidCharge = { ...next, _tag: "Paid", failedRefund }
      const checkAt = nextPaidCheckAt(paid, now)
      const failure = { refund: failedRefund, amountCents: charge.payment.amountCents }
      const failed = { ...paid, ...(checkAt !== undefined && { checkAt }) }
      return { ...stay, next: failed, returns, failure, unsent: "restore" }
    }
    case "Refunded": {
      const { last, refund } = step
      const refunded: RefundedCharge = {
        ...next,
        _tag: "Refunded",
        refundedAt: last.returnedAt,
        ...(refund && { refund }),
      }
      return { ...stay, next: refunded, returns, publish: "refunded", unsent: "supersede" }
    }
  }
}
