import type { DeliveryAttempt, DeliveryRecord, DeliveryStatus, NewDelivery } from "@pixcharge/core"
import type { ChargeId, PixEvent } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import { valueAt } from "./valueAt.ts"

/** A delivery and all that is known of it. */
export interface Delivery {
  /** As it is listed; replaced by every change. */
  record: DeliveryRecord
  /** Every attempt, those before a replay too. */
  history: ReadonlyArray<DeliveryAttempt>
  /** Since when it waits. Epoch milliseconds of business time. */
  queuedAt: number
  readonly queue: EndpointQueue
  /** The deliveries of its charge, to any endpoint, in the order in which they were added; an event of no charge is alone. */
  readonly charge: Array<Delivery>
}

/** What waits for one endpoint, of one company. */
export interface EndpointQueue {
  readonly issuer: Cnpj
  readonly endpointId: string
  readonly waiting: Set<Delivery>
  /** Kept after the lease ended, until somebody else claims: a late settlement may still count. On the steady clock. */
  lease: { readonly token: string; readonly until: number } | undefined
}

/** Makes a delivery wait from a moment on, whatever it was before; by default its attempts go on counting. */
export const makeWait = (delivery: Delivery, now: number, attempts = delivery.record.attempts): void => {
  const { settledAt: _, reason: __, ...record } = delivery.record
  delivery.record = { ...record, status: "waiting", attempts, nextAt: now }
  delivery.queuedAt = now
  delivery.queue.waiting.add(delivery)
}

/** Ends a delivery: it doesn't wait any more. */
export const end = (
  delivery: Delivery,
  ended: Required<Pick<DeliveryRecord, "settledAt">> & Pick<DeliveryRecord, "status" | "reason">,
): void => {
  const { nextAt: _, ...record } = delivery.record
  delivery.record = { ...record, ...ended }
  delivery.queue.waiting.delete(delivery)
}

/** Of a charge's deliveries to an endpoint, only the first that waits may be sent. */
export const isNext = (delivery: Delivery): boolean =>
  delivery.charge.find(({ queue, record }) => queue === delivery.queue && record.status === "waiting") === delivery

const chargeKey = ({ issuer, payment, id }: PixEvent): string => `${issuer} ${payment?.chargeId ?? id}`

/** Every delivery, those that are over too. */
export const makeDeliveries = () => {
  const deliveries = new Map<string, Delivery>()
  const charges = new Map<string, Array<Delivery>>()
  const queues = new Map<string, EndpointQueue>()

  const deliveryKey = (issuer: Cnpj, eventId: string, endpointId: string) => `${issuer} ${eventId} ${endpointId}`

  const queue = (issuer: Cnpj, endpointId: string): EndpointQueue =>
    valueAt(queues, `${issuer} ${endpointId}`, () => ({ issuer, endpointId, waiting: new Set(), lease: undefined }))

  /** The `paid` deliveries of a charge that have this status. */
  const paid = (issuer: Cnpj, id: ChargeId, status: DeliveryStatus): ReadonlyArray<Delivery> =>
    (charges.get(`${issuer} ${id}`) ?? []).filter(
      ({ record }) => record.event.kind === "paid" && record.status === status,
    )

  return {
    queue,
    queues: (): Iterable<EndpointQueue> => queues.values(),
    all: (): Iterable<Delivery> => deliveries.values(),
    find: (issuer: Cnpj, eventId: string, endpointId: string) =>
      deliveries.get(deliveryKey(issuer, eventId, endpointId)),
    /** Adds a delivery that waits from this moment on; nothing happens if it is there. */
    add: ({ event, endpointId }: NewDelivery, now: number): void => {
      const key = deliveryKey(event.issuer, event.id, endpointId)
      if (deliveries.has(key)) return
      const delivery: Delivery = {
        record: { event, endpointId, status: "waiting", attempts: 0, nextAt: now },
        history: [],
        queuedAt: now,
        queue: queue(event.issuer, endpointId),
        charge: valueAt(charges, chargeKey(event), () => []),
      }
      deliveries.set(key, delivery)
      delivery.charge.push(delivery)
      delivery.queue.waiting.add(delivery)
    },
    /** Takes a charge's waiting `paid` deliveries out of their queues; how many. */
    supersede: (issuer: Cnpj, id: ChargeId, now: number): number => {
      const unsent = paid(issuer, id, "waiting")
      for (const delivery of unsent) end(delivery, { status: "superseded", settledAt: now })
      return unsent.length
    },
    /** Makes a charge's superseded `paid` deliveries wait again. */
    restore: (issuer: Cnpj, id: ChargeId, now: number): void => {
      for (const delivery of paid(issuer, id, "superseded")) makeWait(delivery, now)
    },
    remove: (delivery: Delivery): void => {
      const { event, endpointId } = delivery.record
      delivery.charge.splice(delivery.charge.indexOf(delivery), 1)
      if (delivery.charge.length === 0) charges.delete(chargeKey(event))
      deliveries.delete(deliveryKey(event.issuer, event.id, endpointId))
    },
  }
}

export type Deliveries = ReturnType<typeof makeDeliveries>
