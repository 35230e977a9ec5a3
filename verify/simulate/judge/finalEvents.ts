import type { DeliveryRecord } from "@pixcharge/core"
import type { Charge, EventKind, IssuedCharge, Payment, PaymentException, Return } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import type { Evidence, JudgedEndpoint } from "./Evidence.ts"
import { findWrongCount, findWrongExceptionEvents, isSameEvent } from "./eventRules.ts"
import { expiredEvent } from "./expectedEvents.ts"
import { lastPayableAt } from "./marks.ts"
import { backCents, bankCharge } from "./money.ts"
import { shortName } from "./names.ts"
import { type Rules, reportIf } from "./rules.ts"
import type { LearntFailure } from "./RefundCalls.ts"
import type { Memory } from "./Memory.ts"

/** A company's books at the end of a run, with all that was seen of it. */
export interface SeenCompany
  extends Pick<Evidence, "ledger" | "accounts" | "receipts">, Pick<Memory, "expiries" | "terms"> {
  readonly issuer: Cnpj
  readonly now: number
  readonly charges: ReadonlyArray<Charge>
  readonly payments: ReadonlyArray<Payment>
  readonly returns: ReadonlyArray<Return>
  readonly exceptions: ReadonlyArray<PaymentException>
  readonly deliveries: ReadonlyArray<DeliveryRecord>
  readonly endpoints: ReadonlyArray<JudgedEndpoint>
  readonly deliveriesMade: Pick<Memory["deliveries"], "givenUp" | "findWrongRecords">
  readonly repeatedRequests: ReadonlySet<string>
  readonly learntFailures: ReadonlyArray<LearntFailure>
  /** When the store was last set back. The store can have lost events from before. */
  readonly setBackAt: number
  /**
   * The issued charges, once the operator has finished the last restore. The books must then have the paid ones.
   */
  readonly restored: ReadonlyArray<IssuedCharge>
}

/** An event that was sent before the store was set back arrives within this time. */
const underWayMs = 15_000

export const describeEvent = ({ event }: Pick<DeliveryRecord, "event">): string =>
  `${event.kind} of ${shortName(event.payment?.chargeId ?? event.id)}`

/** Finds received events that aren't recorded. */
const inventedEvents = ({ issuer, deliveries, receipts, setBackAt }: SeenCompany): ReadonlyArray<string> =>
  receipts
    .filter(({ event, at }) => event.issuer === issuer && at > setBackAt + underWayMs)
    .filter((one) => !deliveries.some((its) => its.endpointId === one.endpointId && isSameEvent(its.event, one.event)))
    .map((one) => `${describeEvent(one)} arrived at ${one.endpointId}, and no such event is recorded`)

/** Finds failed refunds without an event, unless the whole payment was returned in another way. */
const unpublishedFailures = ({ payments, returns, deliveries, learntFailures }: SeenCompany): ReadonlyArray<string> =>
  learntFailures
    .filter(({ endToEndId }) =>
      payments.some((one) => one.endToEndId === endToEndId && backCents(one, returns) < one.amountCents),
    )
    .filter(({ id }) => !deliveries.some(({ event }) => event.kind === "refund-failed" && event.refund.id === id))
    .map(({ id, endToEndId }) => `the refund ${id} of ${shortName(endToEndId)} failed, but no event reports that`)

/** Finds expired charges without their event. */
const unpublishedExpiries = (seen: SeenCompany): ReadonlyArray<string> =>
  seen.charges.flatMap((charge) => {
    const payableUntil = lastPayableAt(charge, bankCharge(seen, charge))
    if (charge._tag !== "Pending" || !seen.expiries.isDue(charge, payableUntil)) return []
    const missing = findWrongCount({ ...expiredEvent(charge, payableUntil), isOptional: false }, seen)
    return missing.map((what) => `${shortName(charge.txid)} has expired, and ${what}`)
  })

/** A charge's events of a higher rank come later. */
const ranks: Partial<Record<EventKind, number>> = {
  expired: 0,
  cancelled: 1,
  paid: 1,
  "part-refunded": 2,
  refunded: 3,
}

/** Finds events that first arrived after a later event of their charge, and any `paid` after `refunded`. */
const outOfOrder = ({
  issuer,
  receipts,
  setBackAt,
  deliveriesMade: { givenUp },
}: SeenCompany): ReadonlyArray<string> => {
  const known = new Set<string>()
  const reached = new Map<string, number>()
  return receipts.flatMap((one) => {
    const { event, endpointId, at } = one
    const rank = ranks[event.kind]
    if (event.issuer !== issuer || rank === undefined) return []
    const isRepeated = known.has(`${event.id} ${endpointId}`)
    known.add(`${event.id} ${endpointId}`)
    if (at < setBackAt + underWayMs) return []
    const key = `${"charge" in event ? event.charge?.chargeId : event.payment?.chargeId} ${endpointId}`
    const last = reached.get(key) ?? 0
    reached.set(key, Math.max(last, rank))
    // The events after a dead letter don't wait for its replay.
    if (givenUp.has(`${event.id} ${endpointId}`) && event.kind !== "paid") return []
    const isLate = isRepeated ? event.kind === "paid" && last === ranks.refunded : rank < last
    return reportIf(isLate, `${describeEvent(one)} was sent to ${endpointId} after a later event of its charge`)
  })
}

/** True for a dead `paid` that a replay doesn't send, because its money is gone. */
const isOvertaken = ({ event }: DeliveryRecord, { charges }: SeenCompany): boolean =>
  event.kind === "paid" && charges.some(({ id, _tag }) => id === event.payment.chargeId && _tag !== "Paid")

/**
 * A company's books are compared with the bank's list from its first charge on. Earlier payments are unknown (decision
 * 41).
 */
export const isCompared = ({ charges }: SeenCompany, { paidAt }: Pick<Payment, "paidAt">): boolean =>
  charges.some(({ createdAt }) => createdAt <= paidAt)

export const eventRulesAtEnd: Rules<SeenCompany> = {
  eventForEachTransition: (seen) => [
    ...inventedEvents(seen),
    ...unpublishedFailures(seen),
    ...unpublishedExpiries(seen),
    ...seen.exceptions.flatMap((exception) =>
      findWrongExceptionEvents({ ...seen, exception, isOver: isCompared(seen, exception.payment) }),
    ),
  ],
  eventsArrive: (seen) => [
    ...outOfOrder(seen),
    ...seen.deliveries.flatMap((one) => {
      const { event, endpointId, status } = one
      const arrived = seen.receipts.some((its) => its.endpointId === endpointId && isSameEvent(its.event, event))
      return [
        ...reportIf(
          status === "dead" && !isOvertaken(one, seen),
          `${describeEvent(one)} to ${endpointId} was given up`,
        ),
        ...reportIf(
          status === "delivered" && !arrived,
          `${describeEvent(one)} to ${endpointId} counts as delivered, but never arrived`,
        ),
      ]
    }),
  ],
}
