import * as Result from "effect/Result"
import { ChargeAlreadyPaid } from "./chargeErrors.ts"
import type { Charge, PaidCharge } from "./Charge.ts"
import { type CycleCommand, decideCycle } from "./decideCycle.ts"
import { decideChargeRefund } from "./decideChargeRefund.ts"
import { isSamePaymentId, type Payment } from "./Payment.ts"
import type { RefundCommand } from "./RefundCommand.ts"
import { about, clearChecks, type Refusal, stamp, stay, type Transition } from "./Transition.ts"

/** The commands to a charge that exists. */
export type Command =
  | { readonly _tag: "ConfirmPayment"; readonly payment: Payment }
  | { readonly _tag: "Cancel" }
  | CycleCommand
  | RefundCommand

/** The rules of a charge's life: total and pure. The same charge, command and moment give the same answer, always. */
export const decide = (charge: Charge, command: Command, now: number): Result.Result<Transition, Refusal> => {
  switch (command._tag) {
    case "ConfirmPayment":
      return Result.succeed(confirmPayment(charge, command.payment, now))
    case "Cancel":
      return cancel(charge, now)
    case "RecordDebit":
    case "RequestRetry":
    case "RecordRetryRefusal":
      return Result.succeed(decideCycle(charge, command, now))
    default:
      return decideChargeRefund(charge, command, now)
  }
}

/** The first payment settles a pending charge; the same one again changes nothing, any other is recorded beside it (decision 31). */
const confirmPayment = (charge: Charge, payment: Payment, now: number): Transition => {
  if (charge._tag === "Pending") {
    const returns = charge.returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId)
    const next: PaidCharge = { ...clearChecks(charge), ...stamp(charge, now), _tag: "Paid", payment, returns }
    return { next, payments: [payment], returns: [], publish: "paid" }
  }
  const isSettling = charge._tag !== "Cancelled" && isSamePaymentId(charge.payment.endToEndId, payment.endToEndId)
  return isSettling ? stay : { payments: [payment], returns: [] }
}

/** Only a pending charge can be cancelled; the processor's own charge must be gone before. */
const cancel = (charge: Charge, now: number): Result.Result<Transition, Refusal> => {
  switch (charge._tag) {
    case "Pending":
      return Result.succeed({
        ...stay,
        next: { ...clearChecks(charge), ...stamp(charge, now), _tag: "Cancelled", cancelledAt: now },
      })
    case "Cancelled":
      return Result.succeed(stay)
    default:
      return Result.fail(new ChargeAlreadyPaid(about(charge)))
  }
}
