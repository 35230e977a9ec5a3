import type { DeliveryRecord } from "@pixcharge/core"
import type { Charge, PaymentException, PixEvent } from "@pixcharge/core/charges"
import type { JudgedEndpoint } from "./Evidence.ts"
import { type Expected, expectedEvents, lastReturn, type SeenFacts } from "./expectedEvents.ts"
import { shortName } from "./names.ts"
import { reportIf, type Rules } from "./rules.ts"
import { backCents } from "./money.ts"

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

interface SeenException extends Pick<SeenEvents, "deliveries" | "endpoints"> {
  readonly exception: PaymentException
  /** True at the end of a run, when each return has moved its exception. */
  readonly isOver?: boolean
}

const expectedOf = (
  { payment, reason, state, version, returns }: PaymentException,
  isOver: boolean,
): ReadonlyArray<Expected> => {
  const { issuer, endToEndId, amountCents, chargeId, txid, paidAt: occurredAt } = payment
  const id = (fact: string) => `evt_${issuer}_${endToEndId.toLowerCase()}_${fact}`
  // The charge of an unmatched payment can be issued later.
  const exception = {
    endToEndId,
    amountCents,
    txid,
    chargeId: [chargeId, undefined],
    reason: [reason, "unmatched"],
  }
  const hasMoved = state._tag === "Refunded" || (state._tag === "Resolved" && state.returnedAt !== undefined)
  const isReturned = hasMoved || backCents(payment, returns) >= payment.amountCents
  const published: Expected = {
    kind: "exception",
    facts: { id: id("exception"), occurredAt, exception },
    isOptional: isReturned,
  }
  const returned: Expected = {
    kind: "exception-returned",
    facts: { id: id("exception-returned"), exception, ...lastReturn(endToEndId, returns) },
    // The return of a resolved or open exception can be recorded with a charge, before the exception's next move. An
    // unmatched payment of version 1 was recorded with its return.
    isOptional: !hasMoved && !isOver && (version !== 1 || chargeId !== undefined),
  }
  return isReturned ? [published, returned] : [published]
}

/** Compares an exception with its events: each to each endpoint that gets its kind, and no others. */
export const findWrongExceptionEvents = ({
  exception,
  isOver = false,
  ...seen
}: SeenException): ReadonlyArray<string> => {
  const { endToEndId } = exception.payment
  const expected = expectedOf(exception, isOver)
  const its = seen.deliveries.filter(({ event }) => "exception" in event && event.exception.endToEndId === endToEndId)
  return [
    ...expected.flatMap((one) => findWrongCount(one, seen)),
    ...its.flatMap((one) => reportIf(contradicts(one, expected), `has a ${one.event.kind} event that contradicts it`)),
  ].map((what) => `exception ${shortName(endToEndId)} is ${exception.state._tag}, and ${what}`)
}
