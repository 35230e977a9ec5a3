import * as Effect from "effect/Effect"
import { type Charge, isSettledBy } from "../../model/charge/Charge.ts"
import { exceptionEvent, exceptionReturnedEvent } from "../../model/charge/chargeEvents.ts"
import { isWhollyReturned } from "../../model/charge/decideRefund.ts"
import type { Payment, Return } from "../../model/charge/Payment.ts"
import type { ExceptionReason } from "../../model/charge/PaymentException.ts"
import type { Transition } from "../../model/charge/Transition.ts"
import { makeDeliver } from "../events/hostDelivery.ts"
import type { ChargePorts } from "./ChargePorts.ts"

/** Only a pending charge can be in another state at the commit. */
const possibleReasons = ({ _tag }: Charge): ReadonlyArray<ExceptionReason> => {
  if (_tag === "Pending") return ["furtherPayment", "cancelledCharge"]
  return [_tag === "Cancelled" ? "cancelledCharge" : "furtherPayment"]
}

const replacedPayment = (charge: Charge, { next }: Transition): ReadonlyArray<Payment> =>
  "payment" in charge && next !== undefined && !isSettledBy(next, charge.payment.endToEndId) ? [charge.payment] : []

/** Makes deliveries for payments that a write can make exceptions: `exception`, and `exception-returned` of a whole return. */
export const makeNewExceptions = (ports: Pick<ChargePorts, "directory" | "endpoints" | "published">) => {
  const deliver = makeDeliver(ports)
  const isPublished = ports.published.includes("exception")

  const ofPayments = Effect.fnUntraced(function* (
    payments: ReadonlyArray<Payment>,
    reasons: ReadonlyArray<ExceptionReason>,
  ) {
    const made = payments.flatMap((payment) => reasons.map((reason) => ({ payment, reason })))
    const deliveries = yield* Effect.forEach(made, (exception) =>
      deliver(exception.payment.issuer, "exception", (companyName) => exceptionEvent(exception, companyName)),
    )
    return deliveries.flat()
  })

  return {
    ofMove: (charge: Charge, transition: Transition) =>
      isPublished
        ? ofPayments([...transition.payments, ...replacedPayment(charge, transition)], possibleReasons(charge))
        : Effect.succeed([]),
    ofUnmatched: Effect.fnUntraced(function* (payment: Payment, returns: ReadonlyArray<Return>) {
      const exception = { payment, reason: "unmatched", returns } as const
      const opened = yield* ofPayments([payment], ["unmatched"])
      if (!isWhollyReturned(payment)(returns)) return opened
      const returned = yield* deliver(payment.issuer, "exception-returned", (companyName) =>
        exceptionReturnedEvent(exception, companyName),
      )
      return [...opened, ...returned]
    }),
  }
}
