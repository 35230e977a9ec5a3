import { type Change, ChargeStore, ExceptionStore, type Page, type PageRequest } from "@pixcharge/core"
import {
  type Charge,
  chargeEvent,
  chargeEventId,
  type EventKind,
  type PaidCharge,
  type Payment,
  type PendingCharge,
  type PixEvent,
  type RefundedCharge,
} from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { aChange, aPaidCharge, aPendingCharge, aRefundedCharge, aRefundingCharge } from "../fixtures/Charges.ts"
import { aPayment } from "../fixtures/Payments.ts"

export const commit = (change: Change) => Effect.flatMap(ChargeStore, (store) => store.commit(change))

export const find = ({ issuer, id }: Pick<Charge, "issuer" | "id">) =>
  Effect.flatMap(ChargeStore, (store) => store.find(issuer, id))

/** Stores a new charge. */
export const insertCharge = Effect.fnUntraced(function* (overrides: Partial<PendingCharge> = {}) {
  const charge = aPendingCharge(overrides)
  yield* (yield* ChargeStore).insert(charge)
  return charge
})

/** The event of a charge, under the given id of its kind or else its own. */
const makeEvent = (charge: PaidCharge | RefundedCharge, ids: Partial<Record<EventKind, string>>): PixEvent => {
  const event = chargeEvent(charge, "Padaria Aurora Ltda")
  return { ...event, id: ids[event.kind] ?? event.id }
}

/** Settles a pending charge with a payment, and publishes the event to these endpoints. */
export const settleCharge = Effect.fnUntraced(function* (
  charge: PendingCharge,
  payment: Payment = aPayment(charge),
  endpoints: ReadonlyArray<string> = [],
  eventIds: Partial<Record<EventKind, string>> = {},
) {
  const next = aPaidCharge(charge, payment)
  const event = makeEvent(next, eventIds)
  const deliveries = endpoints.map((endpointId) => ({ event, endpointId }))
  yield* commit(aChange(charge, { next, payments: [payment], deliveries }))
  return next
})

/** A stored and paid charge, its event waiting for each endpoint. */
export const insertPaid = Effect.fnUntraced(function* (
  overrides: Partial<PendingCharge> = {},
  endpoints: ReadonlyArray<string> = [],
) {
  const charge = yield* insertCharge(overrides)
  return yield* settleCharge(charge, aPayment(charge), endpoints)
})

/** Requests the refund of a paid charge and supersedes its unsent `paid` events, like the service. */
export const requestRefund = Effect.fnUntraced(function* (charge: PaidCharge) {
  const next = aRefundingCharge(charge)
  yield* commit(aChange(charge, { next, unsent: "supersede" }))
  return next
})

/** Refunds a paid charge, and publishes the event to these endpoints. */
export const refundCharge = Effect.fnUntraced(function* (
  charge: PaidCharge,
  endpoints: ReadonlyArray<string> = [],
  eventIds: Partial<Record<EventKind, string>> = {},
) {
  const refunding = yield* requestRefund(charge)
  const next = aRefundedCharge(refunding)
  const event = makeEvent(next, eventIds)
  const deliveries = endpoints.map((endpointId) => ({ event, endpointId }))
  yield* commit(aChange(refunding, { next, returns: next.returns, deliveries, unsent: "supersede" }))
  return next
})

/** The id of a charge's `paid` event. */
export const paidEventId = (charge: Charge): string => chargeEventId(charge, "paid")

/** The id of a charge's `refunded` event. */
export const refundedEventId = (charge: Charge): string => chargeEventId(charge, "refunded")

/** All pages of a list, with this page size. */
export const allPages = Effect.fnUntraced(function* <A, E, R>(
  list: (page: PageRequest) => Effect.Effect<Page<A>, E, R>,
  limit: number,
) {
  const pages: Array<ReadonlyArray<A>> = []
  let cursor: string | undefined
  do {
    const page: Page<A> = yield* list({ limit, ...(cursor !== undefined && { cursor }) })
    pages.push(page.items)
    cursor = page.cursor
  } while (cursor !== undefined && pages.length < 10_000)
  return pages
})

/** The open exceptions of a company. */
export const openExceptions = (issuer: Charge["issuer"]) =>
  Effect.flatMap(ExceptionStore, (exceptions) =>
    Effect.map(exceptions.listOpen(issuer, { limit: 1000 }), ({ items }) => items),
  )
