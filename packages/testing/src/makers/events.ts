import { type Charge, parsePartialRefund, type PlainEvent } from "@pixcharge/core/charges"
import { addIso, type ChargeNews, newsEvent, requestPartialRefund } from "@pixcharge/core/internal"
import { brasiliaHour } from "@pixcharge/core/calendar"
import type { DebitView } from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import {
  type CancelFacts,
  type ChargeFacts,
  checkFacts,
  type CycleFacts,
  type PartFacts,
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
import { makeCycle } from "./makeCycle.ts"
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

/** The event of a part that went back on the host's request, as `onEvent` receives it. */
export const aPartRefundedEvent = ({
  part: { key = crypto.randomUUID(), amountCents: given } = {},
  ...facts
}: ChargeFacts & PartFacts = {}): PlainEvent<"part-refunded"> => {
  const charge = aPaidCharge(facts)
  const now = charge.updatedAt + 60_000
  const half = Math.ceil(charge.payment.amountCents / 2)
  const part = Result.getOrThrow(parsePartialRefund({ key, amountCents: given ?? half }))
  const { next: requested = charge } = Result.getOrThrow(requestPartialRefund(charge, part, now))
  const refundId = requested._tag === "Paid" ? (requested.partialRefunds?.[0]?.refund.id ?? "") : ""
  const outcome = { _tag: "Returned", returnedAt: now } as const
  const { amountCents } = part
  const { next, news } = applyCommand(requested, { _tag: "FinishRefund", refundId, amountCents, outcome }, now)
  return makeEvent(next, findNews(news, "part-refunded"), facts)
}

/** The event of a charge that expired unpaid, as `onEvent` receives it. */
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

/** The event of a cycle whose debit failed, as `onEvent` receives it. */
export const aPaymentFailedEvent = (facts: CycleFacts = { recurrence: {} }): PlainEvent<"payment-failed"> => {
  checkFacts("aPaymentFailedEvent", facts)
  const charge = makeCycle(facts)
  const { settlesOn: on } = charge.cycle
  const view: DebitView = { status: "active", attempts: [{ kind: "first", on, status: "expired" }] }
  const { next, news } = applyCommand(charge, { _tag: "RecordDebit", view }, brasiliaHour(on, 21))
  return makeEvent(next, findNews(news, "payment-failed"), facts)
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
