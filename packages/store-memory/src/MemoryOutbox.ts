import {
  type ClaimedDelivery,
  type DeliveryFilter,
  Outbox,
  type Period,
  type ReplaySelection,
  type Settlement,
  storableSettlement,
} from "@pixcharge/core"
import type { Charge, ChargeId } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { bucketOf } from "./bucketOf.ts"
import { type Delivery, type DeliveryQueue, end, makeWait, recordOf } from "./DeliveryQueue.ts"
import type { MemoryState } from "./MemoryState.ts"
import { mapPage } from "./SortedRows.ts"
import { storing } from "./storing.ts"

/** Leases run on the process's own steady clock, which no business time moves (decision 32). In milliseconds. */
const onLeaseClock = <A>(f: (now: number) => A): Effect.Effect<A> =>
  Effect.map(Clock.monotonicTimeNanos, (nanos) => f(Number(nanos / 1_000_000n)))

const isWithin = ({ from, until }: Period, moment: number): boolean => from <= moment && moment < until

const isSelected = (
  { event, endpointId, status }: Delivery,
  wanted: DeliveryFilter & { readonly eventId?: string },
): boolean =>
  (wanted.status === undefined || wanted.status === status) &&
  (wanted.endpointId === undefined || wanted.endpointId === endpointId) &&
  (wanted.eventId === undefined || wanted.eventId === event.id) &&
  (wanted.chargeId === undefined || wanted.chargeId === event.payment?.chargeId) &&
  (wanted.period === undefined || isWithin(wanted.period, event.occurredAt))

/** What an attempt makes of a delivery: superseded meanwhile, it stays so unless it arrived. */
const conclude = (delivery: Delivery, { fate, attempt }: Settlement, now: number): void => {
  delivery.lease = undefined
  if (attempt !== undefined) {
    delivery.attempts += 1
    delivery.history = [...delivery.history, attempt]
  }
  if (fate._tag === "Delivered") return end(delivery, "delivered", now)
  if (delivery.status === "superseded") return
  if (fate._tag === "Dead") {
    delivery.reason = fate.reason
    return end(delivery, "dead", now)
  }
  if (fate._tag === "Retry") delivery.nextAt = fate.at
}

/** What waits to be told, in this process: a claim costs what it takes and not what waits. */
export const makeOutbox = (queue: DeliveryQueue, state: MemoryState): Outbox["Service"] => {
  let tokens = 0

  const lapse = (leaseNow: number): void => {
    for (let first = queue.leased.peek(); first; first = queue.leased.peek()) {
      if (first.lease !== undefined && first.lease.until > leaseNow) return
      queue.leased.delete(first)
      queue.lineUp(first)
    }
  }

  const lease = (delivery: Delivery, until: number): ClaimedDelivery => {
    const { event, endpointId, attempts } = delivery
    const leaseToken = `lease-${(tokens += 1)}`
    delivery.lease = { token: leaseToken, until }
    queue.leased.set(delivery)
    queue.lineUp(delivery)
    return { event, endpointId, attempt: attempts + 1, leaseToken }
  }

  const claim = (
    { now, limit, leaseMs, except = [], bucket }: Parameters<Outbox["Service"]["claim"]>[0],
    leaseNow: number,
  ): ReadonlyArray<ClaimedDelivery> => {
    lapse(leaseNow)
    const excepted = new Set(except)
    const taken: Array<Delivery> = []
    const passedOver: Array<Delivery> = []
    const leftAlone = []
    for (let next = queue.endpoints.peek(); next && taken.length < limit; next = queue.endpoints.peek()) {
      const delivery = next.ready.peek()
      if (delivery === undefined || delivery.nextAt > now) break
      if (excepted.has(next.endpointId)) {
        queue.endpoints.delete(next)
        leftAlone.push(next)
        continue
      }
      next.ready.delete(delivery)
      if (next.ready.size() > 0) queue.endpoints.set(next)
      else queue.endpoints.delete(next)
      const isOurs = bucket === undefined || bucketOf(delivery.event.issuer, bucket.of) === bucket.index
      ;(isOurs ? taken : passedOver).push(delivery)
    }
    for (const endpoint of leftAlone) queue.endpoints.set(endpoint)
    for (const delivery of passedOver) queue.lineUp(delivery)
    return taken.map((delivery) => lease(delivery, leaseNow + leaseMs))
  }

  /** The delivery that is held under this very token. */
  const held = (issuer: Cnpj, eventId: string, endpointId: string, token: string): Delivery | undefined => {
    const delivery = queue.find(issuer, eventId, endpointId)
    return delivery?.lease?.token === token ? delivery : undefined
  }

  const settle = (settlements: ReadonlyArray<Settlement>, now: number): ReadonlyArray<string> => {
    const tokensHeld: Array<string> = []
    for (const settlement of settlements) {
      const { issuer, eventId, endpointId, leaseToken } = settlement
      const delivery = held(issuer, eventId, endpointId, leaseToken)
      if (delivery === undefined) continue
      queue.leased.delete(delivery)
      queue.update(delivery, (one) => conclude(one, storableSettlement(settlement, now), now))
      tokensHeld.push(leaseToken)
    }
    return tokensHeld
  }

  const renew = (claims: ReadonlyArray<ClaimedDelivery>, until: number): ReadonlyArray<string> =>
    claims.flatMap(({ event, endpointId, leaseToken }) => {
      const delivery = held(event.issuer, event.id, endpointId, leaseToken)
      if (delivery === undefined) return []
      delivery.lease = { token: leaseToken, until }
      queue.leased.set(delivery)
      queue.lineUp(delivery)
      return [leaseToken]
    })

  const candidates = (issuer: Cnpj, chargeId: ChargeId | undefined): Iterable<Delivery> =>
    chargeId === undefined ? queue.all() : queue.ofCharge(issuer, chargeId)

  const stateOf = ({ event: { issuer, payment } }: Delivery): Charge["_tag"] | undefined =>
    payment && state.company(issuer).charges.get(payment.chargeId)?.charge._tag

  /** A `paid` is told again only while its charge is paid (decision 23). */
  const isStillTrue = (delivery: Delivery): boolean => delivery.event.kind !== "paid" || stateOf(delivery) === "Paid"

  /** A refund that is rejected makes what it superseded wait again. */
  const mayWaitAgain = (delivery: Delivery): boolean => ["Paid", "Refunding"].includes(stateOf(delivery) ?? "")

  const replay = (issuer: Cnpj, selection: ReplaySelection, now: number): number => {
    const { eventId, chargeId, period } = selection
    if (eventId === undefined && chargeId === undefined && period === undefined) return 0
    let count = 0
    for (const delivery of candidates(issuer, chargeId)) {
      const { event, status } = delivery
      const isOver = status === "delivered" || status === "dead"
      if (event.issuer !== issuer || !isOver || !isSelected(delivery, selection) || !isStillTrue(delivery)) continue
      delivery.attempts = 0
      queue.update(delivery, (one) => makeWait(one, now))
      count += 1
    }
    return count
  }

  const purge = (settledBefore: number): number => {
    let count = 0
    for (const delivery of queue.all()) {
      const { status, settledAt } = delivery
      const isOver =
        status === "delivered" || (status === "superseded" && !queue.leased.has(delivery) && !mayWaitAgain(delivery))
      if (!isOver || settledAt === undefined || settledAt >= settledBefore) continue
      queue.remove(delivery)
      count += 1
    }
    return count
  }

  const depth = (): { readonly waiting: number; readonly oldestAt?: number } => {
    let oldestAt = Infinity
    for (const { queuedAt } of queue.waiting) oldestAt = Math.min(oldestAt, queuedAt)
    return { waiting: queue.waiting.size, ...(queue.waiting.size > 0 && { oldestAt }) }
  }

  return Outbox.of({
    claim: (request) => onLeaseClock((leaseNow) => claim(request, leaseNow)),
    renew: (claims, leaseMs) => onLeaseClock((leaseNow) => renew(claims, leaseNow + leaseMs)),
    settle: (settlements, now) => Effect.sync(() => settle(settlements, now)),
    add: (delivery, now) => storing("add", delivery, () => queue.add(delivery, now)),
    supersede: (issuer, id, now) => Effect.sync(() => queue.supersede(issuer, id, now)),
    list: (issuer, filter, request) =>
      Effect.suspend(() =>
        Effect.fromResult(
          Result.map(
            queue
              .ofCompany(issuer)
              .page({ request, newestFirst: true, where: (delivery) => isSelected(delivery, filter) }),
            (page) => mapPage(page, recordOf),
          ),
        ),
      ),
    attempts: (issuer, eventId, endpointId) =>
      Effect.sync(() => queue.find(issuer, eventId, endpointId)?.history ?? []),
    replay: (issuer, selection, now) => Effect.sync(() => replay(issuer, selection, now)),
    depth: Effect.sync(depth),
    purge: (settledBefore) => Effect.sync(() => purge(settledBefore)),
  })
}
