import type { DeliveryRecord } from "@pixcharge/core"
import type { Charge, PixEvent } from "@pixcharge/core/charge"
import { nameOf } from "../names.ts"
import type { Violation } from "./Violation.ts"

const kinds = ["paid", "refunded"] as const

/** Whether two events say the same. */
export const isSameEvent = (one: Omit<PixEvent, "companyName">, other: Omit<PixEvent, "companyName">): boolean =>
  one.id === other.id &&
  one.kind === other.kind &&
  one.issuer === other.issuer &&
  one.occurredAt === other.occurredAt &&
  one.payment?.chargeId === other.payment?.chargeId &&
  one.payment?.txid === other.payment?.txid &&
  one.payment?.endToEndId === other.payment?.endToEndId &&
  one.payment?.amountCents === other.payment?.amountCents

/** What the event of this kind is to say, under the id that it has. */
const expectedEvent = (
  charge: Extract<Charge, { readonly payment: unknown }>,
  { id, kind }: Pick<PixEvent, "id" | "kind">,
): Omit<PixEvent, "companyName"> => {
  const { issuer, id: chargeId, txid, payment } = charge
  const { endToEndId, amountCents, paidAt } = payment
  const occurredAt = kind === "refunded" && charge._tag === "Refunded" ? charge.refundedAt : paidAt
  return { id, kind, issuer, occurredAt, payment: { chargeId, txid, endToEndId, amountCents } }
}

/** What is wrong with how many deliveries a charge has, each event having one for each of so many endpoints. */
const wrongCount = (
  charge: Charge,
  deliveries: ReadonlyArray<DeliveryRecord>,
  endpoints: number,
): string | undefined => {
  const expected = { paid: "payment" in charge ? endpoints : 0, refunded: charge._tag === "Refunded" ? endpoints : 0 }
  for (const kind of kinds) {
    const its = deliveries.filter(({ event }) => event.kind === kind)
    // Of a payment whose money was gone before anybody knew of it only the refund is told.
    if (kind === "paid" && charge._tag === "Refunded" && its.length === 0) continue
    if (its.length !== expected[kind]) return `has ${its.length} deliveries of ${kind}, not ${expected[kind]}`
    if (new Set(its.map(({ event }) => event.id)).size > 1) return `has ${kind} events of several ids`
  }
  return undefined
}

/** What is wrong with what one delivery says, or where it stands. */
const wrongDelivery = (charge: Charge, { event, status }: DeliveryRecord): string | undefined => {
  const { kind } = event
  if ("payment" in charge && !isSameEvent(event, expectedEvent(charge, event))) {
    return `has a ${kind} event that says something else`
  }
  if (status === "superseded" && kind === "refunded") return "has a refunded event that is superseded"
  if (status === "superseded" && charge._tag === "Paid") return "has a paid event that is superseded"
  return status === "waiting" && kind === "paid" && charge._tag !== "Paid"
    ? "has a paid event that is still to be sent"
    : undefined
}

/** What is wrong with a charge's events, each of which must be there for every one of so many endpoints. */
export const eventViolations = (
  charge: Charge,
  deliveries: ReadonlyArray<DeliveryRecord>,
  endpoints: number,
): ReadonlyArray<Violation> =>
  [wrongCount(charge, deliveries, endpoints), ...deliveries.map((delivery) => wrongDelivery(charge, delivery))].flatMap(
    (wrong) =>
      wrong === undefined
        ? []
        : [{ rule: "eventForEachTransition", what: `${nameOf(charge.id)} is ${charge._tag}, and ${wrong}` }],
  )
