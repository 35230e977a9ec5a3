import type { PaymentException, PlainEvent } from "@pixcharge/core/charges"
import { addIso, exceptionEvent, exceptionReturnedEvent } from "@pixcharge/core/internal"
import { testNow } from "../testCompany.ts"
import type { ExceptionFacts } from "./ChargeFacts.ts"
import { aPaidCharge } from "./charges.ts"
import { makeCompany } from "./makeRequested.ts"

const makeException = ({
  reason = "furtherPayment",
  createdAt = testNow,
  payment: given,
  ...facts
}: ExceptionFacts): Pick<PaymentException, "payment" | "reason"> => {
  const { payment } = aPaidCharge({ ...facts, createdAt, payment: { paidAt: createdAt + 120_000, ...given } })
  if (reason !== "unmatched") return { payment, reason }
  const { chargeId: _, txid: __, ...unnamed } = payment
  return { payment: unnamed, reason }
}

/** The event of a payment that settled no charge, as `onEvent` receives it. */
export const anExceptionEvent = (facts: ExceptionFacts = {}): PlainEvent<"exception"> =>
  addIso(exceptionEvent(makeException(facts), makeCompany(facts.company).name))

/** The event of the refund of such a payment, as `onEvent` receives it. */
export const anExceptionReturnedEvent = (facts: ExceptionFacts = {}): PlainEvent<"exception-returned"> => {
  const { payment, reason } = makeException(facts)
  const { issuer, endToEndId, amountCents, recordedAt } = payment
  const returned = {
    issuer,
    id: "return",
    endToEndId,
    kind: "refund",
    amountCents,
    returnedAt: recordedAt + 60_000,
  } as const
  return addIso(exceptionReturnedEvent({ payment, reason, returns: [returned] }, makeCompany(facts.company).name))
}
