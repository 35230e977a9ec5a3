import {
  type Change,
  ChargeStore,
  type ExceptionChange,
  ExceptionStore,
  type InvalidFilter,
  type Page,
  type PageRequest,
  type StoreUnavailable,
  type TooManyReports,
} from "@pixcharge/core"
import {
  type Charge,
  chargeEvent,
  chargeEventId,
  type CycleCharge,
  type EventKind,
  type ExceptionState,
  type PaidCharge,
  type Payment,
  type PendingCharge,
  type PixEvent,
  type RefundedCharge,
} from "@pixcharge/core/charges"
import type { ApprovedRecurrence, ChargeCycle, Recurrence, RequestedRecurrence } from "@pixcharge/core/recurrence"
import { type RecurrenceChange, RecurrenceStore } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import {
  aCancelledCharge,
  aChange,
  aPaidCharge,
  aPendingCharge,
  aRefundedCharge,
  aRefundingCharge,
  fixtureNow,
} from "../fixtures/Charges.ts"
import { anUnmatchedPayment, aPayment } from "../fixtures/Payments.ts"
import {
  aCycleCharge,
  anApprovedRecurrence,
  anEndedRecurrence,
  aRecurrence,
  movedRecurrence,
} from "../fixtures/Recurrences.ts"

export const commit = (change: Change) => Effect.flatMap(ChargeStore, (store) => store.commit(change))

export const find = ({ issuer, id }: Pick<Charge, "issuer" | "id">) =>
  Effect.flatMap(ChargeStore, (store) => store.find(issuer, id))

export const insertCharge = Effect.fnUntraced(function* (overrides: Partial<PendingCharge> = {}) {
  const charge = aPendingCharge(overrides)
  yield* (yield* ChargeStore).insert(charge)
  return charge
})

/** The charge's event, with the id in `ids` for its kind, if there is one. */
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

/** A stored and paid charge, whose event waits for each endpoint. */
export const insertPaid = Effect.fnUntraced(function* (
  overrides: Partial<PendingCharge> = {},
  endpoints: ReadonlyArray<string> = [],
) {
  const charge = yield* insertCharge(overrides)
  return yield* settleCharge(charge, aPayment(charge), endpoints)
})

export const cancelCharge = Effect.fnUntraced(function* (charge: PendingCharge) {
  const next = aCancelledCharge(charge)
  yield* commit(aChange(charge, { next }))
  return next
})

/** Requests the refund of a paid charge and supersedes its unsent `paid` events, like the service. */
export const requestRefund = Effect.fnUntraced(function* (charge: PaidCharge) {
  const next = aRefundingCharge(charge)
  yield* commit(aChange(charge, { next, unsent: "supersede" }))
  return next
})

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

export const paidEventId = (charge: Charge): string => chargeEventId(charge, "paid")

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

export const openExceptions = (issuer: Charge["issuer"]) =>
  Effect.flatMap(ExceptionStore, (exceptions) =>
    Effect.map(exceptions.listOpen(issuer, { limit: 1000 }), ({ items }) => items),
  )

/** An exception under refund, with its next check at `checkAt`. */
export const refundingState = (checkAt = fixtureNow + 2_000): ExceptionState => ({
  _tag: "Refunding",
  refund: { id: "R1", attempt: 1, requestedAt: fixtureNow },
  checkAt,
})

/** The state of an exception that was resolved with a note. */
export const resolved: ExceptionState = { _tag: "Resolved", note: 'pedido "12" \\ 🦜', resolvedAt: fixtureNow }

export const commitException = (
  { issuer, endToEndId }: Payment,
  next: ExceptionState,
  change: Partial<ExceptionChange> = {},
) =>
  Effect.flatMap(ExceptionStore, (exceptions) =>
    exceptions.commit({ issuer, endToEndId, expectedVersion: 0, next, movedAt: fixtureNow, returns: [], ...change }),
  )

/** The stored exception of the payment. */
export const findException = ({ issuer, endToEndId }: Payment) =>
  Effect.flatMap(ExceptionStore, (exceptions) => exceptions.find(issuer, endToEndId))

export const recordUnmatched = Effect.fnUntraced(function* (overrides: Partial<Payment> = {}) {
  const payment = anUnmatchedPayment(overrides)
  yield* (yield* ChargeStore).recordUnmatched(payment)
  return payment
})

/** The first check of a new recurrence. */
export const firstCheckAt = fixtureNow + 60_000

/** The stored recurrence. */
export const findRecurrence = ({ issuer, id }: Pick<Recurrence, "issuer" | "id">) =>
  Effect.flatMap(RecurrenceStore, (store) => store.find(issuer, id))

/** Stores a new recurrence. */
export const insertRecurrence = Effect.fnUntraced(function* (overrides: Partial<RequestedRecurrence> = {}) {
  const recurrence = aRecurrence(overrides)
  const insertion = yield* (yield* RecurrenceStore).insert(recurrence, firstCheckAt)
  expect(insertion).toEqual({ _tag: "Inserted" })
  return recurrence
})

/** Commits a move from the given version of a recurrence. True if it was written. */
export const commitRecurrence = (
  { issuer, id, version }: Recurrence,
  next: Recurrence,
  change: Partial<RecurrenceChange> = {},
) =>
  Effect.flatMap(RecurrenceStore, (store) =>
    store.commit({ issuer, id, expectedVersion: version, next, deliveries: [], ...change }),
  )

/** A stored recurrence that its payer has authorised, with no check due. */
export const insertApproved = Effect.fnUntraced(function* (overrides: Partial<RequestedRecurrence> = {}) {
  const requested = yield* insertRecurrence(overrides)
  const approved = anApprovedRecurrence(requested)
  expect(yield* commitRecurrence(requested, approved)).toBe(true)
  return approved
})

export const endRecurrence = Effect.fnUntraced(function* (approved: ApprovedRecurrence) {
  const ended = anEndedRecurrence(approved)
  expect(yield* commitRecurrence(approved, ended)).toBe(true)
  return ended
})

/** Tries to store a cycle's charge. Returns whether it was written, and the resulting recurrence. */
export const tryCharge = Effect.fnUntraced(function* <Known extends Recurrence>(
  recurrence: Known,
  charge: CycleCharge<PendingCharge>,
  change: Partial<RecurrenceChange> = {},
) {
  const next = movedRecurrence(recurrence)
  const isWritten = yield* commitRecurrence(recurrence, next, { charge, ...change })
  return { isWritten, recurrence: isWritten ? next : recurrence }
})

/** Stores a new recurrence with a cycle's charge. */
export const insertCycleCharge = Effect.fnUntraced(function* (
  overrides: Partial<PendingCharge> = {},
  cycle: Partial<ChargeCycle> = {},
) {
  const recurrence = yield* insertApproved(overrides.issuer && { issuer: overrides.issuer })
  const charge = aCycleCharge(recurrence, cycle, overrides)
  expect((yield* tryCharge(recurrence, charge)).isWritten).toBe(true)
  return charge
})

type List<A> = (page: PageRequest) => Effect.Effect<Page<A>, StoreUnavailable | InvalidFilter | TooManyReports>

/** Reads all pages of a list, and runs `write` after each page. */
export const pagedUnderInserts = Effect.fnUntraced(function* <A, E, R>(
  list: List<A>,
  limit: number,
  write: Effect.Effect<unknown, E, R>,
) {
  const items: Array<A> = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page: Page<A> = yield* list({ limit, ...(cursor !== undefined && { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    items.push(...page.items)
    cursor = page.cursor
    pages += 1
    yield* write
  } while (cursor !== undefined && pages < 100)
  return items
})
