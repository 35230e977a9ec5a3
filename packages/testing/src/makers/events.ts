import type { Charge, PlainEvent } from "@pixcharge/core/charges"
import { addIso, type ChargeNews, newsEvent } from "@pixcharge/core/internal"
import {
  type CancelFacts,
  type ChargeFacts,
  checkFacts,
  type PaymentFacts,
  type RefusalFacts,
  refundFields,
  type ReturnFacts,
} from "./ChargeFacts.ts"
import {
  aCancelledCharge,
  aCharge,
  anExpiredCharge,
  aPaidCharge,
  aRefundedCharge,
  applyCommand,
  requestRefund,
} from "./charges.ts"
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

const findNews = <Kind extends ChargeNews["kind"]>(news: ReadonlyArray<ChargeNews> | undefined, kind: Kind) =>
  news?.find((one): one is ChargeNews & { readonly kind: Kind } => one.kind === kind)

/** The event of a payment, as `onEvent` receives it. */
export const aPaidEvent = (facts: ChargeFacts & PaymentFacts = {}): PlainEvent<"paid"> =>
  makeEvent(aPaidCharge(facts), { kind: "paid" }, facts)

/** The event of a refund, as `onEvent` receives it. */
export const aRefundedEvent = (facts: ChargeFacts & ReturnFacts = {}): PlainEvent<"refunded"> =>
  makeEvent(aRefundedCharge(facts), { kind: "refunded" }, facts)

/** As `onEvent` receives it after the charge expired unpaid. */
export const anExpiredEvent = (facts: ChargeFacts = {}): PlainEvent<"expired"> => {
  const charge = anExpiredCharge(facts)
  const { next, news } = applyCommand(charge, { _tag: "RecordExpiry" }, charge.watchUntil)
  return makeEvent(next, findNews(news, "expired"), facts)
}

/** As `onEvent` receives it after the host cancelled the charge. */
export const aCancelledEvent = ({ cancelledAt, ...facts }: ChargeFacts & CancelFacts = {}): PlainEvent<"cancelled"> => {
  const { cancelledAt: at } = aCancelledCharge({ ...facts, ...(cancelledAt !== undefined && { cancelledAt }) })
  const { next, news } = applyCommand(aCharge(facts), { _tag: "Cancel", by: "host" }, at)
  return makeEvent(next, findNews(news, "cancelled"), facts)
}

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
  return makeEvent(next, findNews(news, "refund-failed"), facts)
}
