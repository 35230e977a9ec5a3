import {
  type DeliveryAttempt,
  type DeliveryFate,
  type DeliveryFilter,
  type DueDelivery,
  type LeasedQueue,
  Outbox,
  type QueueLease,
  type Settlement,
} from "@pixcharge/core"
import type { PixEvent, TestEvent } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj } from "../../fixtures/Companies.ts"
import { aTestEvent } from "../../fixtures/Payments.ts"

/** A lease longer than any test. */
export const leaseMs = 600_000

/** A time at which every delivery of the fixtures is due. */
export const later = fixtureNow + 10_000_000

/** A due delivery with the lease under which it is sent. */
export interface Claimed extends DueDelivery {
  readonly lease: QueueLease
}

const listClaimed = (queues: ReadonlyArray<LeasedQueue>): ReadonlyArray<Claimed> =>
  queues.flatMap(({ lease, due }) => due.map((one) => ({ ...one, lease })))

export const claimedLeases = (claims: ReadonlyArray<Claimed>): ReadonlyArray<QueueLease> => [
  ...new Map(claims.map(({ lease }) => [lease.token, lease])).values(),
]

export const claimQueues = (request: Partial<Parameters<Outbox["Service"]["claim"]>[0]> = {}) =>
  Effect.flatMap(Outbox, (outbox) => outbox.claim({ now: later, limit: 100, deliveries: 100, leaseMs, ...request }))

/** Leases every queue with due deliveries, and returns the deliveries. */
export const claim = (request: Parameters<typeof claimQueues>[0] = {}) =>
  Effect.map(claimQueues(request), ({ queues }) => listClaimed(queues))

/** The next deliveries in the leased queues of these claims. */
export const read = (claims: ReadonlyArray<Claimed>, now = later, limit = 100) =>
  Effect.flatMap(Outbox, (outbox) =>
    Effect.map(
      outbox.read(
        claimedLeases(claims).map((lease) => ({ lease, limit })),
        now,
      ),
      listClaimed,
    ),
  )

export const release = (claims: ReadonlyArray<Claimed>, delayMs?: number) =>
  Effect.flatMap(Outbox, (outbox) => outbox.release(claimedLeases(claims), delayMs))

/** The due deliveries in unleased queues, which it claims and releases. */
export const due = Effect.fnUntraced(function* (now = later) {
  const claims = yield* claim({ now })
  yield* release(claims)
  return claims
})

/** Publishes a test event that waits for an endpoint since a given time. */
export const queueEvents = Effect.fnUntraced(function* (
  endpointId: string,
  { at = fixtureNow, ...event }: Partial<TestEvent> & { readonly at?: number } = {},
) {
  const delivery = { event: aTestEvent(event), endpointId }
  yield* (yield* Outbox).add(delivery, at)
  return delivery
})

/** The settlement of an attempt with this outcome. */
export const settlement = (claimed: Claimed, fate: DeliveryFate, attempt?: DeliveryAttempt): Settlement => ({
  lease: claimed.lease,
  eventId: claimed.event.id,
  number: claimed.number,
  fate,
  attempt: attempt ?? { startedAt: later, latencyMs: 12, status: 200 },
})

export const settle = (settlements: ReadonlyArray<Settlement>, now = later) =>
  Effect.flatMap(Outbox, (outbox) =>
    Effect.map(outbox.settle(settlements, now), (recorded) => recorded.map(({ eventId }) => eventId)),
  )

/** Settles all due deliveries with this outcome. */
export const settleAll = Effect.fnUntraced(function* (fate: DeliveryFate, now = later) {
  const claims = yield* claim({ now })
  yield* settle(
    claims.map((claimed) => settlement(claimed, fate)),
    now,
  )
  yield* release(claims)
  return claims
})

export const listDeliveries = (filter: DeliveryFilter = {}, issuer = aCnpj) =>
  Effect.flatMap(Outbox, (outbox) => Effect.map(outbox.list(issuer, filter, { limit: 1000 }), ({ items }) => items))

export const eventIds = (deliveries: ReadonlyArray<{ readonly event: PixEvent }>): ReadonlyArray<string> =>
  deliveries.map(({ event }) => event.id)
