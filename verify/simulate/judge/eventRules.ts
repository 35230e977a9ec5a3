import type { DeliveryRecord } from "@pixcharge/core"
import type { Charge, PixEvent } from "@pixcharge/core/charges"
import type { SettledCharge } from "./money.ts"
import { shortName } from "./names.ts"
import { type Rules, reportIf } from "./rules.ts"

export interface SeenEvents {
  readonly charge: Charge
  readonly deliveries: ReadonlyArray<DeliveryRecord>
  readonly endpoints: number
}

type EventFacts = Omit<PixEvent, "companyName">

export const isSameEvent = (one: EventFacts, other: EventFacts): boolean =>
  one.id === other.id &&
  one.kind === other.kind &&
  one.issuer === other.issuer &&
  one.occurredAt === other.occurredAt &&
  one.payment?.chargeId === other.payment?.chargeId &&
  one.payment?.txid === other.payment?.txid &&
  one.payment?.endToEndId === other.payment?.endToEndId &&
  one.payment?.amountCents === other.payment?.amountCents

/** The expected event of this kind. Its id follows from company, charge and kind (decision 23). */
const expectedEvent = (charge: SettledCharge, kind: PixEvent["kind"]): EventFacts => {
  const { issuer, id: chargeId, txid, payment } = charge
  const { endToEndId, amountCents, paidAt } = payment
  const occurredAt = kind === "refunded" && charge._tag === "Refunded" ? charge.refundedAt : paidAt
  const id = `evt_${issuer}_${chargeId.replaceAll("-", "")}_${kind}`
  return { id, kind, issuer, occurredAt, payment: { chargeId, txid, endToEndId, amountCents } }
}

const findWrongCount = ({ charge, deliveries, endpoints }: SeenEvents): ReadonlyArray<string> => {
  const expected = { paid: "payment" in charge ? endpoints : 0, refunded: charge._tag === "Refunded" ? endpoints : 0 }
  return (["paid", "refunded"] as const).flatMap((kind) => {
    const count = deliveries.filter(({ event }) => event.kind === kind).length
    // If a payment was returned before it became known, only the refund has an event.
    const mayBeMissing = kind === "paid" && charge._tag === "Refunded" && count === 0
    return reportIf(
      count !== expected[kind] && !mayBeMissing,
      `has ${count} deliveries of ${kind}, not ${expected[kind]}`,
    )
  })
}

/** True if the event contradicts the stored charge. An event of a failed refund can be about any attempt. */
const saysElse = (charge: SettledCharge, event: PixEvent): boolean =>
  event.kind === "refund-failed"
    ? event.payment?.chargeId !== charge.id || event.refund.endToEndId !== charge.payment.endToEndId
    : !isSameEvent(event, expectedEvent(charge, event.kind))

const findWrongDelivery = (charge: Charge, { event, status }: DeliveryRecord): ReadonlyArray<string> => {
  const { kind } = event
  const isWrong = "payment" in charge && saysElse(charge, event)
  const isWithdrawn = status === "superseded" && (kind === "refunded" || charge._tag === "Paid")
  const isUntrue = status === "waiting" && kind === "paid" && charge._tag !== "Paid"
  return [
    ...reportIf(isWrong, `has a ${kind} event that contradicts the charge`),
    ...reportIf(isWithdrawn, `has a ${kind} event that is superseded`),
    ...reportIf(isUntrue, "has a paid event that is still to be sent"),
  ]
}

export const eventRules: Rules<SeenEvents> = {
  eventForEachTransition: (seen) => {
    const { charge, deliveries } = seen
    const wrong = [...findWrongCount(seen), ...deliveries.flatMap((delivery) => findWrongDelivery(charge, delivery))]
    return wrong.map((what) => `${shortName(charge.txid)} is ${charge._tag}, and ${what}`)
  },
}
