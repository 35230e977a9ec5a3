import {
  type DeliveryFilter,
  type DeliveryKey,
  type DueDelivery,
  type LeasedQueue,
  Outbox,
  type Period,
  type QueueClaim,
  type QueueLease,
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
import {
  type Delivery,
  type DeliveryQueue,
  deliveryRecord,
  end,
  type EndpointQueue,
  makeWait,
} from "./DeliveryQueue.ts"
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
  delivery.attempts += 1
  delivery.history = [...delivery.history, attempt]
  if (fate._tag === "Delivered") return end(delivery, "delivered", now)
  if (delivery.status === "superseded") return
  if (fate._tag === "Dead") {
    delivery.reason = fate.reason
    return end(delivery, "dead", now)
  }
  delivery.nextAt = fate.at
}

/** The first so many of a queue whose time has come. */
const dueIn = ({ ready }: EndpointQueue, now: number, limit: number): ReadonlyArray<DueDelivery> => {
  const taken: Array<Delivery> = []
  for (let next = ready.peek(); next && next.nextAt <= now && taken.length < limit; next = ready.peek()) {
    ready.delete(next)
    taken.push(next)
  }
  for (const delivery of taken) ready.set(delivery)
  return taken.map(({ event, endpointId, attempts }) => ({ event, endpointId, attempt: attempts + 1 }))
}

/** What waits to be sent, in this process: a claim costs what it takes and not what waits. */
export const makeOutbox = (queue: DeliveryQueue, state: MemoryState): Outbox["Service"] => {
  let tokens = 0

  /** Frees the queues whose owner has not come back in time. */
  const lapse = (leaseNow: number): void => {
    for (let first = queue.leased.peek(); first; first = queue.leased.peek()) {
      if (first.lease !== undefined && first.lease.until > leaseNow) return
      queue.leased.delete(first)
      queue.refresh(first)
    }
  }

  const leaseUntil = (one: EndpointQueue, token: string, until: number): void => {
    one.lease = { token, until }
    queue.leased.set(one)
    queue.refresh(one)
  }

  const claim = (
    { now, limit, deliveries, leaseMs, except = [], bucket }: Parameters<Outbox["Service"]["claim"]>[0],
    leaseNow: number,
  ): QueueClaim => {
    lapse(leaseNow)
    const excepted = new Set(except)
    const isWanted = ({ issuer, endpointId }: EndpointQueue) =>
      !excepted.has(endpointId) && (bucket === undefined || bucketOf(issuer, bucket.of) === bucket.index)
    const taken: Array<EndpointQueue> = []
    const passedOver: Array<EndpointQueue> = []
    for (let next = queue.free.peek(); next && taken.length < limit; next = queue.free.peek()) {
      if ((next.ready.peek()?.nextAt ?? Infinity) > now) break
      queue.free.delete(next)
      ;(isWanted(next) ? taken : passedOver).push(next)
    }
    for (const one of passedOver) queue.free.set(one)
    const queues = taken.map((one): LeasedQueue => {
      const { issuer, endpointId } = one
      const token = `lease-${(tokens += 1)}`
      leaseUntil(one, token, leaseNow + leaseMs)
      return { lease: { issuer, endpointId, token }, due: dueIn(one, now, deliveries) }
    })
    for (let next = queue.upcoming.peek(); next && next.nextAt <= now; next = queue.upcoming.peek()) {
      queue.upcoming.delete(next)
    }
    const nextDueAt = queue.upcoming.peek()?.nextAt
    return { queues, ...(nextDueAt !== undefined && { nextDueAt }) }
  }

  /** The queue that is held under this very token. */
  const held = ({ issuer, endpointId, token }: QueueLease): EndpointQueue | undefined => {
    const one = queue.queueOf(issuer, endpointId)
    return one.lease?.token === token ? one : undefined
  }

  const prolong = (leases: ReadonlyArray<QueueLease>, until: number): ReadonlyArray<string> =>
    leases.flatMap((lease) => {
      const one = held(lease)
      if (one === undefined) return []
      leaseUntil(one, lease.token, until)
      return [lease.token]
    })

  const settle = (settlements: ReadonlyArray<Settlement>, now: number): ReadonlyArray<DeliveryKey> =>
    settlements.flatMap((settlement): ReadonlyArray<DeliveryKey> => {
      const { lease, eventId, number } = settlement
      const { issuer, endpointId } = lease
      const delivery = held(lease) && queue.find(issuer, eventId, endpointId)
      const isKnown = delivery?.attempts === number - 1 && ["waiting", "superseded"].includes(delivery.status)
      if (delivery === undefined || !isKnown) return []
      queue.update(delivery, (one) => conclude(one, storableSettlement(settlement, now), now))
      return [{ issuer, eventId, endpointId }]
    })

  const candidates = (issuer: Cnpj, chargeId: ChargeId | undefined): Iterable<Delivery> =>
    chargeId === undefined ? queue.all() : queue.ofCharge(issuer, chargeId)

  const chargeState = ({ event: { issuer, payment } }: Delivery): Charge["_tag"] | undefined =>
    payment && state.company(issuer).charges.get(payment.chargeId)?.charge._tag

  /** A `paid` is sent again only while its charge is paid (decision 23). */
  const isStillTrue = (delivery: Delivery): boolean =>
    delivery.event.kind !== "paid" || chargeState(delivery) === "Paid"

  /** A refund that is rejected makes what it superseded wait again. */
  const mayWaitAgain = (delivery: Delivery): boolean => ["Paid", "Refunding"].includes(chargeState(delivery) ?? "")

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

  /** It may be under way. */
  const isLeased = ({ event, endpointId }: Delivery): boolean =>
    queue.leased.has(queue.queueOf(event.issuer, endpointId))

  const purge = (settledBefore: number): number => {
    let count = 0
    for (const delivery of queue.all()) {
      const { status, settledAt } = delivery
      const isOver =
        status === "delivered" || (status === "superseded" && !isLeased(delivery) && !mayWaitAgain(delivery))
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
    read: (queues, now) =>
      Effect.sync(() =>
        queues.flatMap(({ lease, limit }): ReadonlyArray<LeasedQueue> => {
          const one = held(lease)
          return one === undefined ? [] : [{ lease, due: dueIn(one, now, limit) }]
        }),
      ),
    renew: (leases, leaseMs) => onLeaseClock((leaseNow) => prolong(leases, leaseNow + leaseMs)),
    release: (leases, restMs = 0) =>
      onLeaseClock((leaseNow) => {
        prolong(leases, leaseNow + restMs)
        lapse(leaseNow)
      }),
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
            (page) => mapPage(page, deliveryRecord),
          ),
        ),
      ),
    attempts: (issuer, eventId, endpointId) =>
      Effect.sync(() => queue.find(issuer, eventId, endpointId)?.history ?? []),
    replay: (issuer, selection, now) => Effect.sync(() => replay(issuer, selection, now)),
    depth: Effect.sync(depth),
    purge: (settledBefore) =>
      onLeaseClock((leaseNow) => {
        lapse(leaseNow)
        return purge(settledBefore)
      }),
  })
}
