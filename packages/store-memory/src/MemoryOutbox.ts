import {
  currentActor,
  type DeliveryFilter,
  type DeliveryRecord,
  type LeasedQueue,
  Outbox,
  type QueueClaim,
  type QueueLease,
  type ReplaySelection,
  type Settlement,
  storableSettlement,
} from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Deliveries, type Delivery, end, type EndpointQueue, isNext, makeWait } from "./Deliveries.ts"
import { earliest } from "./earliest.ts"
import type { Audit } from "./MemoryAudit.ts"
import type { MemoryState } from "./MemoryState.ts"
import { isWithin, readPage } from "./readPage.ts"
import { storing } from "./storing.ts"

type ClaimRequest = Parameters<Outbox["Service"]["claim"]>[0]

/** Leases run on the process's own steady clock, which no business time moves (decision 32). In milliseconds. */
const onLeaseClock = <A>(f: (now: number) => A): Effect.Effect<A> =>
  Effect.map(Clock.monotonicTimeNanos, (nanos) => f(Number(nanos / 1_000_000n)))

/** As `QueueDepth` and `depth` say. */
const mostCounted = 10_000

/** FNV-1a: a company is always in the same bucket. */
const isInBucket = (issuer: Cnpj, { of, index }: { readonly of: number; readonly index: number }): boolean => {
  let hash = 0x811c9dc5
  for (const letter of issuer) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
  return (hash >>> 0) % of === index
}

const isSelected = (
  { event, endpointId, status }: DeliveryRecord,
  wanted: DeliveryFilter & { readonly eventId?: string },
): boolean =>
  (wanted.status === undefined || wanted.status === status) &&
  (wanted.endpointId === undefined || wanted.endpointId === endpointId) &&
  (wanted.eventId === undefined || wanted.eventId === event.id) &&
  (wanted.chargeId === undefined || wanted.chargeId === event.payment?.chargeId) &&
  isWithin(wanted.period, event.occurredAt)

/** Records an attempt. A delivery that was superseded meanwhile stays so unless it arrived. */
const recordAttempt = (delivery: Delivery, { fate, attempt }: Settlement, now: number): void => {
  const { record } = delivery
  delivery.record = { ...record, attempts: record.attempts + 1, lastAttempt: attempt }
  delivery.history = [...delivery.history, attempt]
  if (fate._tag === "Delivered") return end(delivery, { status: "delivered", settledAt: now })
  if (record.status === "superseded") return
  if (fate._tag === "Dead") return end(delivery, { status: "dead", settledAt: now, reason: fate.reason })
  delivery.record = { ...delivery.record, nextAt: fate.at }
}

const nextAt = ({ record }: Delivery): number => record.nextAt ?? Infinity

/** What comes next in a queue, oldest first. */
const nextDue = ({ waiting }: EndpointQueue, now: number, limit: number): ReadonlyArray<Delivery> =>
  earliest([waiting], (delivery) => (nextAt(delivery) <= now && isNext(delivery) ? nextAt(delivery) : undefined), limit)

/** What waits in queues, due first: so many of it as are counted. */
const dueFirst = (queues: ReadonlyArray<EndpointQueue>): ReadonlyArray<Delivery> =>
  earliest(
    queues.map(({ waiting }) => waiting),
    nextAt,
    mostCounted,
  )

const measured = (waiting: ReadonlyArray<Delivery>) => {
  const oldestAt = waiting.reduce((oldest, { queuedAt }) => Math.min(oldest, queuedAt), Infinity)
  return { waiting: waiting.length, ...(waiting.length > 0 && { oldestAt }) }
}

const leasedQueue = (lease: QueueLease, due: ReadonlyArray<Delivery>): LeasedQueue => ({
  lease,
  due: due.map(({ record: { event, endpointId, attempts } }) => ({ event, endpointId, attempt: attempts + 1 })),
})

const isLeased = ({ lease }: EndpointQueue, leaseNow: number): boolean => lease !== undefined && lease.until > leaseNow

/** The outbox in this process. A claim reads all that waits, which takes 1 ms for 10 000 deliveries. */
export const makeOutbox = (deliveries: Deliveries, state: MemoryState, audit: Audit): Outbox["Service"] => {
  let tokens = 0

  const claim = ({ now, limit, except = [], bucket, ...each }: ClaimRequest, leaseNow: number): QueueClaim => {
    const wanted = [...deliveries.queues()].filter(({ issuer }) => bucket === undefined || isInBucket(issuer, bucket))
    const free = wanted
      .filter((queue) => !isLeased(queue, leaseNow) && !except.includes(queue.endpointId))
      .map((queue) => ({ queue, due: nextDue(queue, now, each.deliveries) }))
    const queues = earliest([free], ({ due }) => due[0]?.record.nextAt, limit).map(({ queue, due }) => {
      const { issuer, endpointId } = queue
      const token = `lease-${(tokens += 1)}`
      queue.lease = { token, until: leaseNow + each.leaseMs }
      return leasedQueue({ issuer, endpointId, token }, due)
    })
    let nextDueAt = Infinity
    for (const { waiting } of wanted) {
      for (const delivery of waiting) if (nextAt(delivery) > now) nextDueAt = Math.min(nextDueAt, nextAt(delivery))
    }
    return { queues, ...(nextDueAt < Infinity && { nextDueAt }) }
  }

  /** The queue that is leased under this very token. */
  const findLeased = ({ issuer, endpointId, token }: QueueLease): EndpointQueue | undefined => {
    const queue = deliveries.queue(issuer, endpointId)
    return queue.lease?.token === token ? queue : undefined
  }

  /** Makes leases end at a moment; answers with the tokens of those that hold. */
  const endLeasesAt = (leases: ReadonlyArray<QueueLease>, until: number): ReadonlyArray<string> =>
    leases.flatMap((lease) => {
      const queue = findLeased(lease)
      if (queue === undefined) return []
      queue.lease = { token: lease.token, until }
      return [lease.token]
    })

  /** Records an attempt if its lease holds and the attempt was not recorded before; the answer is whether it was. */
  const settleOne = (settlement: Settlement, now: number): boolean => {
    const { lease, eventId, number } = settlement
    const delivery = findLeased(lease) && deliveries.find(lease.issuer, eventId, lease.endpointId)
    if (delivery === undefined || delivery.record.attempts !== number - 1) return false
    if (delivery.record.status !== "waiting" && delivery.record.status !== "superseded") return false
    recordAttempt(delivery, storableSettlement(settlement, now), now)
    return true
  }

  const chargeState = ({ event: { issuer, payment } }: DeliveryRecord): Charge["_tag"] | undefined =>
    payment && state.company(issuer).charges.get(payment.chargeId)?.charge._tag

  const replay = (issuer: Cnpj, selection: ReplaySelection, now: number): number => {
    const { eventId, chargeId, period } = selection
    if (eventId === undefined && chargeId === undefined && period === undefined) return 0
    let count = 0
    for (const delivery of deliveries.all()) {
      const { event, status } = delivery.record
      const isOver = status === "delivered" || status === "dead"
      if (event.issuer !== issuer || !isOver || !isSelected(delivery.record, selection)) continue
      // A `paid` is sent again only while its charge is paid (decision 23).
      if (event.kind === "paid" && chargeState(delivery.record) !== "Paid") continue
      makeWait(delivery, now, 0)
      count += 1
    }
    return count
  }

  /** A superseded delivery may be under way while its queue is leased, and waits again if the charge's refund fails. */
  const isOver = ({ record, queue }: Delivery, leaseNow: number): boolean => {
    if (record.status !== "superseded") return record.status === "delivered"
    return !isLeased(queue, leaseNow) && !["Paid", "Refunding"].includes(chargeState(record) ?? "")
  }

  const purge = (settledBefore: number, leaseNow: number): number => {
    const old = [...deliveries.all()].filter(
      (delivery) => (delivery.record.settledAt ?? Infinity) < settledBefore && isOver(delivery, leaseNow),
    )
    old.forEach(deliveries.remove)
    return old.length
  }

  return Outbox.of({
    claim: (request) => onLeaseClock((leaseNow) => claim(request, leaseNow)),
    read: (queues, now) =>
      Effect.sync(() =>
        queues.flatMap(({ lease, limit }) => {
          const queue = findLeased(lease)
          return queue === undefined ? [] : [leasedQueue(lease, nextDue(queue, now, limit))]
        }),
      ),
    renew: (leases, leaseMs) => onLeaseClock((leaseNow) => endLeasesAt(leases, leaseNow + leaseMs)),
    release: (leases, restMs = 0) => onLeaseClock((leaseNow) => void endLeasesAt(leases, leaseNow + restMs)),
    settle: (settlements, now) =>
      Effect.sync(() =>
        settlements
          .filter((settlement) => settleOne(settlement, now))
          .map(({ lease: { issuer, endpointId }, eventId }) => ({ issuer, eventId, endpointId })),
      ),
    add: (delivery, now, change) =>
      Effect.flatMap(currentActor, (by) =>
        storing("add", [delivery, change], () => {
          const { event, endpointId } = delivery
          if (deliveries.find(event.issuer, event.id, endpointId) !== undefined) return
          deliveries.add(delivery, now)
          if (change !== undefined) audit.append(event.issuer, by, [change])
        }),
      ),
    supersede: (issuer, id, now) => Effect.sync(() => deliveries.supersede(issuer, id, now)),
    list: (issuer, filter, request) =>
      readPage(
        "list",
        () =>
          Array.from(deliveries.all(), ({ record }) => record).filter(
            (record) => record.event.issuer === issuer && isSelected(record, filter),
          ),
        {
          position: ({ event, endpointId }) => ({ at: event.occurredAt, id: `${event.id} ${endpointId}` }),
          request,
          newestFirst: true,
        },
      ),
    attempts: (issuer, eventId, endpointId) =>
      Effect.sync(() => deliveries.find(issuer, eventId, endpointId)?.history ?? []),
    replay: (issuer, selection, now, name) =>
      Effect.map(currentActor, (by) => {
        const count = replay(issuer, selection, now)
        if (count > 0)
          audit.append(issuer, by, [{ kind: "eventsReplayed", deliveries: count, ...(name !== undefined && { name }) }])
        return count
      }),
    queueDepth: (issuer, endpointId) =>
      Effect.sync(() => {
        const first = dueFirst([deliveries.queue(issuer, endpointId)])
        const retrying = first.filter(({ record }) => record.attempts > 0).length
        return { retrying, ...measured(first) }
      }),
    depth: Effect.sync(() => measured(dueFirst([...deliveries.queues()]))),
    purge: (settledBefore) => onLeaseClock((leaseNow) => purge(settledBefore, leaseNow)),
  })
}
