import {
  currentActor,
  type DeliveryFilter,
  type DeliveryRecord,
  type LeasedQueue,
  type Outbox,
  type QueueLease,
  type Settlement,
  storableSettlement,
} from "@pixcharge/core"
import { type Charge, eventChargeId } from "@pixcharge/core/charges"
import { monotonicMs } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import { type Deliveries, type Delivery, type EndpointQueue, isNext, requeue, settle } from "./Deliveries.ts"
import { findEarliest } from "./findEarliest.ts"
import type { Audit } from "./MemoryAudit.ts"
import type { MemoryState } from "./MemoryState.ts"
import { isWithin, readPage } from "./readPage.ts"
import { storing } from "./storing.ts"

type Port = Outbox["Service"]

/** The limit documented at `QueueDepth` and `depth`. */
const maxCounted = 10_000

const isSelected = (
  { event, endpointId, status }: DeliveryRecord,
  wanted: DeliveryFilter & { readonly eventId?: string },
): boolean =>
  (wanted.status === undefined || wanted.status === status) &&
  (wanted.endpointId === undefined || wanted.endpointId === endpointId) &&
  (wanted.eventId === undefined || wanted.eventId === event.id) &&
  (wanted.chargeId === undefined || wanted.chargeId === eventChargeId(event)) &&
  isWithin(wanted.period, event.occurredAt)

/** A superseded delivery stays superseded unless the attempt delivered it. */
const recordAttempt = (delivery: Delivery, { fate, attempt }: Settlement, now: number): void => {
  const { record } = delivery
  delivery.record = { ...record, attempts: record.attempts + 1, lastAttempt: attempt }
  delivery.history = [...delivery.history, attempt]
  if (fate._tag === "Delivered") return settle(delivery, { status: "delivered", settledAt: now })
  if (record.status === "superseded") return
  if (fate._tag === "Dead") return settle(delivery, { status: "dead", settledAt: now, reason: fate.reason })
  delivery.record = { ...delivery.record, nextAt: fate.at }
}

export const nextAt = ({ record }: Delivery): number => record.nextAt ?? Infinity

const readNextDue = ({ waiting }: EndpointQueue, now: number, limit: number): ReadonlyArray<Delivery> =>
  findEarliest(
    [waiting],
    (delivery) => (nextAt(delivery) <= now && isNext(delivery) ? nextAt(delivery) : undefined),
    limit,
  )

export const listWaiting = (queues: ReadonlyArray<EndpointQueue>): ReadonlyArray<Delivery> =>
  findEarliest(
    queues.map(({ waiting }) => waiting),
    nextAt,
    maxCounted,
  )

export const measure = (waiting: ReadonlyArray<Delivery>) => {
  const oldestAt = waiting.reduce((oldest, { queuedAt }) => Math.min(oldest, queuedAt), Infinity)
  return { waiting: waiting.length, ...(waiting.length > 0 && { oldestAt }) }
}

const toLeasedQueue = (lease: QueueLease, due: ReadonlyArray<Delivery>): LeasedQueue => ({
  lease,
  due: due.map(({ record: { event, endpointId, attempts }, history }) => ({
    event,
    endpointId,
    attempt: attempts + 1,
    number: history.length + 1,
  })),
})

const isLeased = ({ lease }: EndpointQueue, monotonicNow: number): boolean =>
  lease !== undefined && lease.until > monotonicNow

const findNextDueAt = (queues: ReadonlyArray<EndpointQueue>, claimed: ReadonlySet<Delivery>): number => {
  let nextDueAt = Infinity
  for (const { waiting } of queues) {
    for (const delivery of waiting) if (!claimed.has(delivery)) nextDueAt = Math.min(nextDueAt, nextAt(delivery))
  }
  return nextDueAt
}

/**
 * A claim reads all waiting deliveries, which takes 1 ms for 10 000 deliveries. Leases are on the monotonic clock (decision 32).
 */
export class MemoryOutbox implements Port {
  readonly #deliveries: Deliveries
  readonly #state: MemoryState
  readonly #audit: Audit
  #leaseCount = 0

  constructor(deliveries: Deliveries, state: MemoryState, audit: Audit) {
    this.#deliveries = deliveries
    this.#state = state
    this.#audit = audit
  }

  readonly claim: Port["claim"] = ({ now, limit, deliveries, leaseMs, excludedEndpoints = [] }) =>
    Effect.map(monotonicMs, (monotonicNow) => {
      const all = [...this.#deliveries.queues()]
      const free = all
        .filter((queue) => !isLeased(queue, monotonicNow) && !excludedEndpoints.includes(queue.endpointId))
        .map((queue) => ({ queue, due: readNextDue(queue, now, deliveries) }))
      const claimed = findEarliest([free], ({ due }) => due[0]?.record.nextAt, limit)
      const queues = claimed.map(({ queue, due }) => {
        const { issuer, endpointId } = queue
        const token = `lease-${(this.#leaseCount += 1)}`
        queue.lease = { token, until: monotonicNow + leaseMs }
        return toLeasedQueue({ issuer, endpointId, token }, due)
      })
      const nextDueAt = findNextDueAt(all, new Set(claimed.flatMap(({ due }) => due)))
      return { queues, ...(nextDueAt < Infinity && { nextDueAt }) }
    })

  readonly read: Port["read"] = (queues, now) =>
    Effect.sync(() =>
      queues.flatMap(({ lease, limit }) => {
        const queue = this.#findLeased(lease)
        return queue === undefined ? [] : [toLeasedQueue(lease, readNextDue(queue, now, limit))]
      }),
    )

  readonly renew: Port["renew"] = (leases, leaseMs) =>
    Effect.map(monotonicMs, (now) => this.#setLeaseEnd(leases, now + leaseMs))

  readonly release: Port["release"] = (leases, delayMs = 0) =>
    Effect.map(monotonicMs, (now) => void this.#setLeaseEnd(leases, now + delayMs))

  readonly settle: Port["settle"] = (settlements, now) =>
    Effect.map(monotonicMs, (leaseEnd) => {
      const recorded = settlements.filter((settlement) => this.#settleOne(settlement, now))
      this.#setLeaseEnd(
        settlements.flatMap(({ lease, releases }) => (releases ? [lease] : [])),
        leaseEnd,
      )
      return recorded.map(({ lease: { issuer, endpointId }, eventId }) => ({ issuer, eventId, endpointId }))
    })

  readonly add: Port["add"] = (delivery, now, change) =>
    Effect.flatMap(currentActor, (by) =>
      storing("add", [delivery, change], () => {
        const { event, endpointId } = delivery
        if (this.#deliveries.find(event.issuer, event.id, endpointId) !== undefined) return
        this.#deliveries.add(delivery, now)
        if (change !== undefined) this.#audit.append(event.issuer, by, [change])
      }),
    )

  readonly supersede: Port["supersede"] = (issuer, id, now) =>
    Effect.sync(() => this.#deliveries.supersede(issuer, id, now))

  readonly list: Port["list"] = (issuer, filter, request) =>
    readPage(
      "list",
      () =>
        Array.from(this.#deliveries.all(), ({ record }) => record).filter(
          (record) => record.event.issuer === issuer && isSelected(record, filter),
        ),
      {
        position: ({ event, endpointId }) => ({ at: event.occurredAt, id: `${event.id} ${endpointId}` }),
        request,
        newestFirst: true,
      },
    )

  readonly attempts: Port["attempts"] = (issuer, eventId, endpointId) =>
    Effect.sync(() => this.#deliveries.find(issuer, eventId, endpointId)?.history ?? [])

  readonly replay: Port["replay"] = (issuer, selection, now, name) =>
    Effect.map(currentActor, (by) => {
      const { eventId, chargeId, period } = selection
      if (eventId === undefined && chargeId === undefined && period === undefined) return 0
      const selected = [...this.#deliveries.all()].filter(
        ({ record }) => record.event.issuer === issuer && this.#canReplay(record) && isSelected(record, selection),
      )
      for (const delivery of selected) requeue(delivery, now, 0)
      const deliveries = selected.length
      if (deliveries > 0) {
        this.#audit.append(issuer, by, [{ kind: "eventsReplayed", deliveries, ...(name !== undefined && { name }) }])
      }
      return deliveries
    })

  readonly queueDepth: Port["queueDepth"] = (issuer, endpointId) =>
    Effect.sync(() => {
      const waiting = listWaiting([this.#deliveries.queue(issuer, endpointId)])
      return { retrying: waiting.filter(({ record }) => record.attempts > 0).length, ...measure(waiting) }
    })

  readonly depth: Port["depth"] = Effect.sync(() => measure(listWaiting([...this.#deliveries.queues()])))

  readonly purge: Port["purge"] = (settledBefore) =>
    Effect.map(monotonicMs, (now) => {
      const old = [...this.#deliveries.all()].filter(
        (delivery) => (delivery.record.settledAt ?? Infinity) < settledBefore && this.#isFinal(delivery, now),
      )
      for (const delivery of old) this.#deliveries.remove(delivery)
      return old.length
    })

  #findLeased({ issuer, endpointId, token }: QueueLease): EndpointQueue | undefined {
    const queue = this.#deliveries.queue(issuer, endpointId)
    return queue.lease?.token === token ? queue : undefined
  }

  #setLeaseEnd(leases: ReadonlyArray<QueueLease>, until: number): ReadonlyArray<string> {
    return leases.flatMap((lease) => {
      const queue = this.#findLeased(lease)
      if (queue === undefined) return []
      queue.lease = { token: lease.token, until }
      return [lease.token]
    })
  }

  /** Returns false if the lease has ended or the attempt is recorded. */
  #settleOne(settlement: Settlement, now: number): boolean {
    const { lease, eventId, number } = settlement
    const delivery = this.#findLeased(lease) && this.#deliveries.find(lease.issuer, eventId, lease.endpointId)
    if (delivery === undefined || delivery.history.length !== number - 1) return false
    if (delivery.record.status !== "waiting" && delivery.record.status !== "superseded") return false
    recordAttempt(delivery, storableSettlement(settlement, now), now)
    return true
  }

  #chargeTag({ event: { issuer, payment } }: DeliveryRecord): Charge["_tag"] | undefined {
    return payment && this.#state.company(issuer).charges.get(payment.chargeId)?.charge._tag
  }

  /** A `paid` is replayed only while its charge is paid (decision 23). */
  #canReplay(record: DeliveryRecord): boolean {
    if (record.status !== "delivered" && record.status !== "dead") return false
    return record.event.kind !== "paid" || this.#chargeTag(record) === "Paid"
  }

  /** A superseded delivery can be under way while its queue is leased, and waits again if the charge's refund fails. */
  #isFinal({ record, queue }: Delivery, monotonicNow: number): boolean {
    if (record.status !== "superseded") return record.status === "delivered"
    return !isLeased(queue, monotonicNow) && !["Paid", "Refunding"].includes(this.#chargeTag(record) ?? "")
  }
}
