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
  /** Kept after the lease ended, until somebody else claims: a late settlement may still count. */
  lease: { readonly token: string; readonly until: number } | undefined
}

/** The deliveries of one endpoint whose turn may come. */
export interface EndpointQueue {
  readonly endpointId: string
  readonly ready: Schedule<Delivery>
}

/** What waits to be told, and what was. */
export interface DeliveryQueue {
  /** Endpoints by the delivery that comes next; only those that have one. */
  readonly endpoints: Schedule<EndpointQueue>
  /** Leased deliveries, the lease that ends first before the others. */
  readonly leased: Schedule<Delivery>
  readonly waiting: ReadonlySet<Delivery>
  readonly find: (issuer: Cnpj, eventId: string, endpointId: string) => Delivery | undefined
  readonly ofCharge: (issuer: Cnpj, id: ChargeId) => ReadonlyArray<Delivery>
  readonly ofCompany: (issuer: Cnpj) => SortedRows<Delivery>
  readonly all: () => Iterable<Delivery>
  /** Adds a delivery that waits from this moment on; nothing happens if it is there. */
  readonly add: (delivery: NewDelivery, now: number) => void
  readonly supersede: (issuer: Cnpj, id: ChargeId, now: number) => number
  readonly restore: (issuer: Cnpj, id: ChargeId, now: number) => void
  /** Brings a delivery and those behind it into their right place, after its lease has changed. */
  readonly lineUp: (delivery: Delivery) => void
  /** Changes a delivery, and brings it and those behind it into their right place. */
  readonly update: (delivery: Delivery, change: (delivery: Delivery) => void) => void
  readonly remove: (delivery: Delivery) => void
}

const isBefore = (a: Delivery, b: Delivery): boolean => a.nextAt < b.nextAt

const keyOf = (issuer: Cnpj, eventId: string, endpointId: string): string => `${issuer} ${eventId} ${endpointId}`

const chargeKeyOf = ({ issuer, payment, id }: PixEvent): string =>
  // An event of no charge is alone in its line.
  payment === undefined ? `${issuer} ${id}` : `${issuer} ${payment.chargeId}`

const isSuperseded = ({ status, event }: Delivery) => status === "superseded" && event.kind === "paid"
const isUnsent = ({ status, event }: Delivery) => status === "waiting" && event.kind === "paid"

/** A delivery as the desk sees it. */
export const recordOf = (delivery: Delivery): DeliveryRecord => {
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
  lease: undefined,
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
  const endpoints = makeSchedule<EndpointQueue>((a, b) => {
    const [first, second] = [a.ready.peek(), b.ready.peek()]
    return first !== undefined && second !== undefined && isBefore(first, second)
  })
  const leased = makeSchedule<Delivery>((a, b) => (a.lease?.until ?? 0) < (b.lease?.until ?? 0))

  const queueOf = (endpointId: string): EndpointQueue => {
    const known = queues.get(endpointId)
    if (known !== undefined) return known
    const queue = { endpointId, ready: makeSchedule(isBefore) }
    queues.set(endpointId, queue)
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
    if (queue.ready.size() > 0) return endpoints.set(queue)
    endpoints.delete(queue)
    queues.delete(queue.endpointId)
  }

  /** Of a charge's deliveries to an endpoint, only the first that isn't over has its turn. */
  const lineUp = (delivery: Delivery): void => {
    const { endpointId, event } = delivery
    const queue = queueOf(endpointId)
    let isFree = true
    for (const one of charges.get(chargeKeyOf(event)) ?? []) {
      if (one.endpointId !== endpointId) continue
      queue.ready.delete(one)
      const inFlight = leased.has(one)
      if (isFree && one.status === "waiting" && !inFlight) queue.ready.set(one)
      if (one.status === "waiting" || inFlight) isFree = false
    }
    refresh(queue)
  }

  const update = (delivery: Delivery, change: (delivery: Delivery) => void): void => {
    change(delivery)
    if (delivery.status === "waiting") waiting.add(delivery)
    else waiting.delete(delivery)
    lineUp(delivery)
  }

  const ofCharge = (issuer: Cnpj, id: ChargeId): ReadonlyArray<Delivery> => charges.get(`${issuer} ${id}`) ?? []

  return {
    endpoints,
    leased,
    waiting,
    ofCharge,
    ofCompany,
    find: (issuer, eventId, endpointId) => deliveries.get(keyOf(issuer, eventId, endpointId)),
    all: () => deliveries.values(),
    lineUp,
    update,
    add: (told, now) => {
      const { event, endpointId } = told
      const key = keyOf(event.issuer, event.id, endpointId)
      if (deliveries.has(key)) return
      const delivery = newDelivery(told, now)
      deliveries.set(key, delivery)
      const line = charges.get(chargeKeyOf(event))
      if (line === undefined) charges.set(chargeKeyOf(event), [delivery])
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
      deliveries.delete(keyOf(event.issuer, event.id, endpointId))
      const line = charges.get(chargeKeyOf(event))?.filter((one) => one !== delivery) ?? []
      if (line.length > 0) charges.set(chargeKeyOf(event), line)
      else charges.delete(chargeKeyOf(event))
      ofCompany(event.issuer).delete(delivery)
    },
  }
}
