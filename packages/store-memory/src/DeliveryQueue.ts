import type { DeliveryAttempt, DeliveryRecord, DeliveryStatus, NewDelivery } from "@pixcharge/core"
import type { ChargeId, PixEvent } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import { makeSchedule, type Schedule } from "./Schedule.ts"
import { makeSortedRows, type SortedRows } from "./SortedRows.ts"

/** A delivery and all that is known of it. */
export interface Delivery extends NewDelivery {
  status: DeliveryStatus
  /** Attempts since it was made, or since it was replayed. */
  attempts: number
  /** Every attempt, those before a replay too. */
  history: ReadonlyArray<DeliveryAttempt>
  nextAt: number
  /** Since when it waits. */
  queuedAt: number
  settledAt: number | undefined
  reason: string | undefined
}

/** The deliveries of one company to one endpoint. */
export interface EndpointQueue {
  readonly issuer: Cnpj
  readonly endpointId: string
  /** Those whose turn may come: of each charge the earliest that waits. */
  readonly ready: Schedule<Delivery>
  /** Kept after the lease ended, until somebody else claims: a late settlement may still count. */
  lease: { readonly token: string; readonly until: number } | undefined
}

/** What waits to be sent, and what was. */
export interface DeliveryQueue {
  /** Queues that nobody leases, by the delivery that comes next; only those that have one. */
  readonly free: Schedule<EndpointQueue>
  /** Leased queues, the lease that ends first before the others. */
  readonly leased: Schedule<EndpointQueue>
  /** Deliveries that wait for a moment later than that of any claim. */
  readonly upcoming: Schedule<Delivery>
  readonly waiting: ReadonlySet<Delivery>
  readonly find: (issuer: Cnpj, eventId: string, endpointId: string) => Delivery | undefined
  readonly ofCharge: (issuer: Cnpj, id: ChargeId) => ReadonlyArray<Delivery>
  readonly ofCompany: (issuer: Cnpj) => SortedRows<Delivery>
  readonly all: () => Iterable<Delivery>
  /** Adds a delivery that waits from this moment on; nothing happens if it is there. */
  readonly add: (delivery: NewDelivery, now: number) => void
  readonly supersede: (issuer: Cnpj, id: ChargeId, now: number) => number
  readonly restore: (issuer: Cnpj, id: ChargeId, now: number) => void
  readonly queueOf: (issuer: Cnpj, endpointId: string) => EndpointQueue
  /** Brings a queue into its right place, after its lease or its first delivery has changed. */
  readonly refresh: (queue: EndpointQueue) => void
  /** Changes a delivery, and brings it and those behind it into their right place. */
  readonly update: (delivery: Delivery, change: (delivery: Delivery) => void) => void
  readonly remove: (delivery: Delivery) => void
}

const isBefore = (a: Delivery, b: Delivery): boolean => a.nextAt < b.nextAt

const deliveryKey = (issuer: Cnpj, eventId: string, endpointId: string): string => `${issuer} ${eventId} ${endpointId}`

const chargeKey = ({ issuer, payment, id }: PixEvent): string =>
  // An event of no charge is alone in its line.
  payment === undefined ? `${issuer} ${id}` : `${issuer} ${payment.chargeId}`

const isSuperseded = ({ status, event }: Delivery) => status === "superseded" && event.kind === "paid"
const isUnsent = ({ status, event }: Delivery) => status === "waiting" && event.kind === "paid"

/** A delivery as the desk sees it. */
export const deliveryRecord = (delivery: Delivery): DeliveryRecord => {
  const { event, endpointId, status, attempts, nextAt, settledAt, reason, history } = delivery
  const lastAttempt = history.at(-1)
  return {
    event,
    endpointId,
    status,
    attempts,
    ...(status === "waiting" && { nextAt }),
    ...(settledAt !== undefined && { settledAt }),
    ...(reason !== undefined && { reason }),
    ...(lastAttempt && { lastAttempt }),
  }
}

const newDelivery = ({ event, endpointId }: NewDelivery, now: number): Delivery => ({
  event,
  endpointId,
  status: "waiting",
  attempts: 0,
  history: [],
  nextAt: now,
  queuedAt: now,
  settledAt: undefined,
  reason: undefined,
})

/** Makes a delivery wait from a moment on, whatever it was before. */
export const makeWait = (delivery: Delivery, now: number): void => {
  delivery.status = "waiting"
  delivery.nextAt = now
  delivery.queuedAt = now
  delivery.settledAt = undefined
  delivery.reason = undefined
}

/** Ends a delivery: it waits no longer. */
export const end = (delivery: Delivery, status: Exclude<DeliveryStatus, "waiting">, now: number): void => {
  delivery.status = status
  delivery.settledAt = now
}

export const makeDeliveryQueue = (): DeliveryQueue => {
  const deliveries = new Map<string, Delivery>()
  const charges = new Map<string, Array<Delivery>>()
  const companies = new Map<Cnpj, SortedRows<Delivery>>()
  const queues = new Map<string, EndpointQueue>()
  const waiting = new Set<Delivery>()
  const free = makeSchedule<EndpointQueue>((a, b) => {
    const [first, second] = [a.ready.peek(), b.ready.peek()]
    return first !== undefined && second !== undefined && isBefore(first, second)
  })
  const leased = makeSchedule<EndpointQueue>((a, b) => (a.lease?.until ?? 0) < (b.lease?.until ?? 0))
  const upcoming = makeSchedule(isBefore)

  const queueOf = (issuer: Cnpj, endpointId: string): EndpointQueue => {
    const key = `${issuer} ${endpointId}`
    const known = queues.get(key)
    if (known !== undefined) return known
    const queue = { issuer, endpointId, ready: makeSchedule(isBefore), lease: undefined }
    queues.set(key, queue)
    return queue
  }

  const ofCompany = (issuer: Cnpj): SortedRows<Delivery> => {
    const known = companies.get(issuer)
    if (known !== undefined) return known
    const rows = makeSortedRows<Delivery>(({ event, endpointId }) => ({
      at: event.occurredAt,
      id: `${event.id} ${endpointId}`,
    }))
    companies.set(issuer, rows)
    return rows
  }

  const refresh = (queue: EndpointQueue): void => {
    if (queue.ready.size() > 0 && !leased.has(queue)) free.set(queue)
    else free.delete(queue)
  }

  /** Of a charge's deliveries to an endpoint, only the first that waits has its turn. */
  const lineUp = ({ event, endpointId }: Delivery): void => {
    const queue = queueOf(event.issuer, endpointId)
    let isFirst = true
    for (const one of charges.get(chargeKey(event)) ?? []) {
      if (one.endpointId !== endpointId) continue
      queue.ready.delete(one)
      if (one.status !== "waiting") continue
      if (isFirst) queue.ready.set(one)
      isFirst = false
    }
    refresh(queue)
  }

  const update = (delivery: Delivery, change: (delivery: Delivery) => void): void => {
    change(delivery)
    if (delivery.status === "waiting") {
      waiting.add(delivery)
      upcoming.set(delivery)
    } else {
      waiting.delete(delivery)
      upcoming.delete(delivery)
    }
    lineUp(delivery)
  }

  const ofCharge = (issuer: Cnpj, id: ChargeId): ReadonlyArray<Delivery> => charges.get(`${issuer} ${id}`) ?? []

  return {
    free,
    leased,
    upcoming,
    waiting,
    ofCharge,
    ofCompany,
    find: (issuer, eventId, endpointId) => deliveries.get(deliveryKey(issuer, eventId, endpointId)),
    all: () => deliveries.values(),
    queueOf,
    refresh,
    update,
    add: (added, now) => {
      const { event, endpointId } = added
      const key = deliveryKey(event.issuer, event.id, endpointId)
      if (deliveries.has(key)) return
      const delivery = newDelivery(added, now)
      deliveries.set(key, delivery)
      const line = charges.get(chargeKey(event))
      if (line === undefined) charges.set(chargeKey(event), [delivery])
      else line.push(delivery)
      ofCompany(event.issuer).add(delivery)
      update(delivery, () => {})
    },
    supersede: (issuer, id, now) => {
      const unsent = ofCharge(issuer, id).filter(isUnsent)
      for (const delivery of unsent) update(delivery, (one) => end(one, "superseded", now))
      return unsent.length
    },
    restore: (issuer, id, now) => {
      for (const delivery of ofCharge(issuer, id).filter(isSuperseded)) update(delivery, (one) => makeWait(one, now))
    },
    remove: (delivery) => {
      const { event, endpointId } = delivery
      deliveries.delete(deliveryKey(event.issuer, event.id, endpointId))
      const line = charges.get(chargeKey(event))?.filter((one) => one !== delivery) ?? []
      if (line.length > 0) charges.set(chargeKey(event), line)
      else charges.delete(chargeKey(event))
      ofCompany(event.issuer).delete(delivery)
    },
  }
}
