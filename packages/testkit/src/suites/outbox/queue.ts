import {
  type ClaimedDelivery,
  type DeliveryAttempt,
  type DeliveryFate,
  type DeliveryFilter,
  Outbox,
  type Settlement,
} from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charge"
import * as Effect from "effect/Effect"
import { fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj } from "../../fixtures/Companies.ts"
import { aTestEvent } from "../../fixtures/Payments.ts"

/** Long enough that no test outlives it. */
export const leaseMs = 600_000

/** A moment by which everything that the fixtures make is due. */
export const later = fixtureNow + 10_000_000

/** Takes everything that is due. */
export const claim = (request: Partial<Parameters<Outbox["Service"]["claim"]>[0]> = {}) =>
  Effect.flatMap(Outbox, (outbox) => outbox.claim({ now: later, limit: 100, leaseMs, ...request }))

/** An event of its own that waits for an endpoint since a moment. */
export const queued = Effect.fnUntraced(function* (
  endpointId: string,
  { at = fixtureNow, ...event }: Partial<PixEvent> & { readonly at?: number } = {},
) {
  const delivery = { event: aTestEvent(event), endpointId }
  yield* (yield* Outbox).add(delivery, at)
  return delivery
})

/** A claim ended in a fate; with an attempt, unless it was handed back. */
export const settlement = (claimed: ClaimedDelivery, fate: DeliveryFate, attempt?: DeliveryAttempt): Settlement => {
  const { event, endpointId, leaseToken } = claimed
  const made = attempt ?? (fate._tag === "Postponed" ? undefined : { startedAt: later, latencyMs: 12, status: 200 })
  return { issuer: event.issuer, eventId: event.id, endpointId, leaseToken, fate, ...(made && { attempt: made }) }
}

export const settle = (settlements: ReadonlyArray<Settlement>, now = later) =>
  Effect.flatMap(Outbox, (outbox) => outbox.settle(settlements, now))

/** Takes everything that is due and ends it in a fate. */
export const settleAll = Effect.fnUntraced(function* (fate: DeliveryFate, now = later) {
  const claims = yield* claim({ now })
  yield* settle(
    claims.map((claimed) => settlement(claimed, fate)),
    now,
  )
  return claims
})

/** The company's deliveries as the desk sees them. */
export const listed = (filter: DeliveryFilter = {}, issuer = aCnpj) =>
  Effect.flatMap(Outbox, (outbox) => Effect.map(outbox.list(issuer, filter, { limit: 1000 }), ({ items }) => items))

export const eventIds = (deliveries: ReadonlyArray<{ readonly event: PixEvent }>): ReadonlyArray<string> =>
  deliveries.map(({ event }) => event.id)
