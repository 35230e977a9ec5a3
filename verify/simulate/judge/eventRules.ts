import type { DeliveryRecord } from "@pixcharge/core"
import type { Charge, EventKind, PaymentException, PixEvent } from "@pixcharge/core/charges"
import { expectedEvents, type Expected, type SeenFacts } from "./expectedEvents.ts"
import { shortName } from "./names.ts"
import { type Rules, reportIf } from "./rules.ts"

/** An endpoint with the kinds that it gets: those that it chose and the processes publish. */
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

/** True if the event states each of the facts. */
const doesState = (event: unknown, facts: unknown): boolean =>
  typeof facts === "object" && facts !== null
    ? Object.entries(facts).every(([name, fact]) => doesState(Object(event)[name], fact))
    : event === facts

/** Finds facts without exactly one delivery to each endpoint that chose their kind. */
const findWrongCount = ({ id, kind, presence }: Expected, seen: SeenEvents): ReadonlyArray<string> =>
  seen.endpoints.flatMap((endpoint) => {
    const count = seen.deliveries.filter((one) => one.event.id === id && one.endpointId === endpoint.id).length
    const wanted = endpoint.kinds.includes(kind) ? 1 : 0
    const mayBeMissing = presence === "allowed" && count === 0
    return reportIf(
      count !== wanted && !mayBeMissing,
      `has ${count} deliveries of ${kind} to ${endpoint.id}, not ${wanted}`,
    )
  })

const findWrongDelivery = (
  seen: SeenEvents,
  expected: ReadonlyArray<Expected>,
  { event, status }: DeliveryRecord,
): ReadonlyArray<string> => {
  const { charge } = seen
  const { kind } = event
  const fact = expected.find(({ id }) => id === event.id)
  // An event of a failed refund can be about any attempt.
  const isRight =
    event.kind === "refund-failed"
      ? "payment" in charge && event.refund.endToEndId === charge.payment.endToEndId
      : fact !== undefined && fact.kind === kind && doesState(event, fact.facts)
  const isWithdrawn = status === "superseded" && (kind !== "paid" || charge._tag === "Paid")
  const isUntrue = status === "waiting" && kind === "paid" && charge._tag !== "Paid"
  return [
    ...reportIf(!isRight, `has a ${kind} event that contradicts the charge`),
    ...reportIf(isWithdrawn, `has a ${kind} event that is superseded`),
    ...reportIf(isUntrue, "has a paid event that is still to be sent"),
  ]
}

export const eventRules: Rules<SeenEvents> = {
  eventForEachTransition: (seen) => {
    const { charge, deliveries } = seen
    const expected = expectedEvents(seen)
    const wrong = [
      ...expected.flatMap((one) => findWrongCount(one, seen)),
      ...deliveries.flatMap((delivery) => findWrongDelivery(seen, expected, delivery)),
    ]
    return wrong.map((what) => `${shortName(charge.txid)} is ${charge._tag}, and ${what}`)
  },
}
