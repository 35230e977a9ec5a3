import type { DeliveryRecord } from "@pixcharge/core"
import type { Charge, EventKind, PixEvent } from "@pixcharge/core/charges"
import { type Expected, expectedEvents, type SeenFacts } from "./expectedEvents.ts"
import { shortName } from "./names.ts"
import { type Rules, reportIf } from "./rules.ts"

/** An endpoint with its kinds: it chose them, and the processes publish them. */
export interface JudgedEndpoint {
  readonly id: string
  readonly kinds: ReadonlyArray<EventKind>
}

export interface SeenEvents extends SeenFacts {
  readonly deliveries: ReadonlyArray<DeliveryRecord>
  readonly endpoints: ReadonlyArray<JudgedEndpoint>
}

export const isSameEvent = (one: Omit<PixEvent, "companyName">, other: Omit<PixEvent, "companyName">): boolean =>
  one.id === other.id &&
  one.kind === other.kind &&
  one.issuer === other.issuer &&
  one.occurredAt === other.occurredAt &&
  one.payment?.chargeId === other.payment?.chargeId &&
  one.payment?.txid === other.payment?.txid &&
  one.payment?.endToEndId === other.payment?.endToEndId &&
  one.payment?.amountCents === other.payment?.amountCents

/** True if the event states each fact, or one of its values. */
const doesState = (event: unknown, fact: unknown): boolean => {
  if (Array.isArray(fact)) return fact.some((value) => doesState(event, value))
  if (typeof fact !== "object" || fact === null) return event === fact
  return Object.entries(fact).every(([name, value]) => doesState(Object(event)[name], value))
}

/** Finds facts without exactly one delivery to each endpoint that gets their kind. */
export const findWrongCount = (
  { kind, facts: { id }, isOptional }: Expected,
  { deliveries, endpoints }: Pick<SeenEvents, "deliveries" | "endpoints">,
): ReadonlyArray<string> => {
  const its = deliveries.filter(({ event }) => event.id === id)
  return endpoints.flatMap((endpoint) => {
    const count = its.filter(({ endpointId }) => endpointId === endpoint.id).length
    const wanted = endpoint.kinds.includes(kind) ? 1 : 0
    const isMissing = isOptional && its.length === 0
    return reportIf(
      count !== wanted && !isMissing,
      `has ${count} deliveries of ${kind} to ${endpoint.id}, not ${wanted}`,
    )
  })
}

export const contradicts = ({ event }: DeliveryRecord, expected: ReadonlyArray<Expected>): boolean =>
  !expected.some(({ kind, facts }) => kind === event.kind && doesState(event, facts))

const findWrongDelivery = (
  charge: Charge,
  expected: ReadonlyArray<Expected>,
  delivery: DeliveryRecord,
): ReadonlyArray<string> => {
  const { event, status } = delivery
  const { kind } = event
  // An event of a failed refund can be about any attempt.
  const isWrong =
    event.kind === "refund-failed"
      ? !("payment" in charge) || event.refund.endToEndId !== charge.payment.endToEndId
      : contradicts(delivery, expected)
  const isWithdrawn = status === "superseded" && (kind !== "paid" || charge._tag === "Paid")
  const isUntrue = status === "waiting" && kind === "paid" && charge._tag !== "Paid"
  return [
    ...reportIf(isWrong, `has a ${kind} event that contradicts the charge`),
    ...reportIf(isWithdrawn, `has a ${kind} event that is superseded`),
    ...reportIf(isUntrue, "has a paid event that is still to be sent"),
  ]
}

export const eventRules: Rules<SeenEvents> = {
  eventForEachTransition: (seen) => {
    const { charge } = seen
    const deliveries = seen.deliveries.filter(({ event }) => !("exception" in event))
    // The bank's removal of a charge that is published as expired isn't published.
    const isEnded =
      charge._tag === "Cancelled" &&
      charge.cancelledBy === "bank" &&
      deliveries.some(({ event }) => event.kind === "expired")
    const expected = expectedEvents(seen).map((one) =>
      one.kind === "cancelled" ? { ...one, isOptional: isEnded } : one,
    )
    const wrong = [
      ...expected.flatMap((one) => findWrongCount(one, seen)),
      ...deliveries.flatMap((delivery) => findWrongDelivery(charge, expected, delivery)),
    ]
    return wrong.map((what) => `${shortName(charge.txid)} is ${charge._tag}, and ${what}`)
  },
}
