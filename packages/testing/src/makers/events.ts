import type { Charge, PlainEvent } from "@pixcharge/core/charges"
import { addIso, type ChargeNews, newsEvent } from "@pixcharge/core/internal"
import {
  type ChargeFacts,
  checkFacts,
  type PaymentFacts,
  type RefusalFacts,
  refundFields,
  type ReturnFacts,
} from "./ChargeFacts.ts"
import { aPaidCharge, aRefundedCharge, applyCommand, requestRefund } from "./charges.ts"
import { makeCompany } from "./makeRequested.ts"

const makeEvent = <News extends ChargeNews>(
  charge: Charge | undefined,
  news: News | undefined,
  { company }: ChargeFacts,
) => {
  const event = charge && news && newsEvent(charge, news, makeCompany(company).name)
  if (event === undefined) throw new Error("the core publishes no event about this charge")
  return addIso<unknown>(event) as PlainEvent<News["kind"]>
}

/** The event of a payment, as `onEvent` receives it. */
export const aPaidEvent = (facts: ChargeFacts & PaymentFacts = {}): PlainEvent<"paid"> =>
  makeEvent(aPaidCharge(facts), { kind: "paid" }, facts)

/** The event of a refund, as `onEvent` receives it. */
export const aRefundedEvent = (facts: ChargeFacts & ReturnFacts = {}): PlainEvent<"refunded"> =>
  makeEvent(aRefundedCharge(facts), { kind: "refunded" }, facts)

/** The event of a refund that the bank refused, as `onEvent` receives it. */
export const aRefundFailedEvent = ({
  rejection: reason = "account closed",
  ...facts
}: ChargeFacts & RefusalFacts = {}): PlainEvent<"refund-failed"> => {
  checkFacts("aRefundFailedEvent", facts, refundFields)
  const charge = requestRefund(facts)
  const { id: refundId } = charge.refund
  const { amountCents } = charge.payment
  const outcome = { _tag: "Rejected", reason } as const
  const command = { _tag: "FinishRefund", refundId, amountCents, outcome } as const
  const { next, news } = applyCommand(charge, command, charge.updatedAt + 60_000)
  const failure = news?.find((one) => one.kind === "refund-failed")
  return makeEvent(next, failure, facts)
}
