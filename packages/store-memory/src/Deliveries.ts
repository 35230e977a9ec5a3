import type { DeliveryAttempt, DeliveryRecord, DeliveryStatus, NewDelivery } from "@pixcharge/core"
import { type Charge, type ChargeId, eventOrderKey, type PixEvent, withoutShopTexts } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { valueAt } from "./MemoryState.ts"

export interface Delivery {
  record: DeliveryRecord
  /** Every attempt, including attempts before a replay. */
  history: ReadonlyArray<DeliveryAttempt>
  /** Epoch milliseconds of business time. */
  queuedAt: number
  readonly queue: EndpointQueue
  /** All deliveries with its `eventOrderKey` to all endpoints, oldest first. */
  readonly chargeDeliveries: Array<Delivery>
}

export interface EndpointQueue {
  readonly issuer: Cnpj
  readonly endpointId: string
  readonly waiting: Set<Delivery>
  /** Stays after its end until the next claim, because a late settlement can still count. `until` is on the monotonic clock. */
  lease: { readonly token: string; readonly until: number } | undefined
}

export const requeue = (delivery: Delivery, now: number, attempts = delivery.record.attempts): void => {
  const { settledAt: _, reason: __, ...record } = delivery.record
  delivery.record = { ...record, status: "waiting", attempts, nextAt: now }
  delivery.queuedAt = now
  delivery.queue.waiting.add(delivery)
}

export const settle = (
  delivery: Delivery,
  outcome: Required<Pick<DeliveryRecord, "settledAt">> & Pick<DeliveryRecord, "status" | "reason">,
): void => {
  const { nextAt: _, ...record } = delivery.record
  delivery.record = { ...record, ...outcome }
  delivery.queue.waiting.delete(delivery)
}

/** Only the first waiting delivery of a charge to an endpoint can be sent. */
export const isNext = (delivery: Delivery): boolean =>
  delivery.chargeDeliveries.find(({ queue, record }) => queue === delivery.queue && record.status === "waiting") ===
  delivery

const chargeKey = (event: PixEvent): string => `${event.issuer} ${eventOrderKey(event)}`

const deliveryKey = (issuer: Cnpj, eventId: string, endpointId: string): string => `${issuer} ${eventId} ${endpointId}`

export class Deliveries {
  readonly #deliveries = new Map<string, Delivery>()
  readonly #byCharge = new Map<string, Array<Delivery>>()
  readonly #queues = new Map<string, EndpointQueue>()

  queue(issuer: Cnpj, endpointId: string): EndpointQueue {
    const empty = (): EndpointQueue => ({ issuer, endpointId, waiting: new Set(), lease: undefined })
    return valueAt(this.#queues, `${issuer} ${endpointId}`, empty)
  }

  queues(): Iterable<EndpointQueue> {
    return this.#queues.values()
  }

  all(): Iterable<Delivery> {
    return this.#deliveries.values()
  }

  find(issuer: Cnpj, eventId: string, endpointId: string): Delivery | undefined {
    return this.#deliveries.get(deliveryKey(issuer, eventId, endpointId))
  }

  add({ event, endpointId }: NewDelivery, now: number): void {
    const key = deliveryKey(event.issuer, event.id, endpointId)
    if (this.#deliveries.has(key)) return
    const delivery: Delivery = {
      record: { event, endpointId, status: "waiting", attempts: 0, nextAt: now },
      history: [],
      queuedAt: now,
      queue: this.queue(event.issuer, endpointId),
      chargeDeliveries: valueAt(this.#byCharge, chargeKey(event), () => []),
    }
    this.#deliveries.set(key, delivery)
    delivery.chargeDeliveries.push(delivery)
    delivery.queue.waiting.add(delivery)
  }

  supersede(issuer: Cnpj, id: ChargeId, now: number): number {
    const unsent = this.#findPaid(issuer, id, "waiting")
    for (const delivery of unsent) settle(delivery, { status: "superseded", settledAt: now })
    return unsent.length
  }

  restore(issuer: Cnpj, id: ChargeId, now: number): void {
    for (const delivery of this.#findPaid(issuer, id, "superseded")) requeue(delivery, now)
  }

  eraseShopTexts({ issuer, id }: Pick<Charge, "issuer" | "id">): void {
    for (const delivery of this.#byCharge.get(`${issuer} ${id}`) ?? []) {
      const { record } = delivery
      delivery.record = { ...record, event: withoutShopTexts(record.event) }
    }
  }

  remove(delivery: Delivery): void {
    const { chargeDeliveries, record } = delivery
    const { event, endpointId } = record
    chargeDeliveries.splice(chargeDeliveries.indexOf(delivery), 1)
    if (chargeDeliveries.length === 0) this.#byCharge.delete(chargeKey(event))
    this.#deliveries.delete(deliveryKey(event.issuer, event.id, endpointId))
  }

  #findPaid(issuer: Cnpj, id: ChargeId, status: DeliveryStatus): ReadonlyArray<Delivery> {
    const all = this.#byCharge.get(`${issuer} ${id}`) ?? []
    return all.filter(({ record }) => record.event.kind === "paid" && record.status === status)
  }
}
