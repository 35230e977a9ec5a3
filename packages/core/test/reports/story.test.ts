import { type AuditChange, AuditLog, ChargeStore, ExceptionStore, Outbox } from "@pixcharge/core"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { Charge, PaymentException, TermsRow } from "@pixcharge/core/charges"
import { memoryStore } from "@pixcharge/store-memory"
import {
  aCancelledCharge,
  aChange,
  aFailedRefund,
  anEvent,
  anUnmatchedPayment,
  aPaidCharge,
  aPartlyRefundedCharge,
  aPartialRefund,
  aPayment,
  aPendingCharge,
  aRefundingCharge,
  aReturn,
  cents,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { pickTerms } from "../../src/model/charge/TermsRow.ts"
import { storyEntries } from "../../src/services/reports/StoryEntry.ts"
import { makeReadStory } from "../../src/services/reports/PixReports.ts"

const now = fixtureNow + 86_400_000

const entriesOf = (charge: Charge, ...exceptions: ReadonlyArray<PaymentException>) =>
  storyEntries({ charge, exceptions, deliveries: [], records: [] }, now)

const kinds = (...given: Parameters<typeof entriesOf>) => entriesOf(...given).map(({ kind }) => kind)

const anException = (overrides: Partial<PaymentException>): PaymentException => ({
  payment: anUnmatchedPayment({ paidAt: fixtureNow + 1_000 }),
  reason: "unmatched",
  state: { _tag: "Open" },
  version: 1,
  returns: [],
  ...overrides,
})

describe("storyEntries", () => {
  it("shows an expiry before the charge's end", () => {
    const pending = aPendingCharge()
    const paidAt = (offset: number) =>
      aPaidCharge(pending, aPayment(pending, { paidAt: pending.payableUntil + offset }))
    expect(storyEntries({ charge: pending, exceptions: [], deliveries: [], records: [] }, fixtureNow)).toHaveLength(1)
    expect(kinds(pending)).toEqual(["issued", "expired"])
    expect(kinds(paidAt(0))).toEqual(["issued", "paid"])
    expect(kinds(paidAt(1))).toEqual(["issued", "expired", "paid"])
    expect(kinds(aCancelledCharge(pending))).toEqual(["issued", "cancelled"])
    expect(kinds(aCancelledCharge({ ...pending, updatedAt: pending.payableUntil }))).toEqual([
      "issued",
      "expired",
      "cancelled",
    ])
  })

  it("shows the issue's terms, and each change with the terms in force at its request", () => {
    const pending = aPendingCharge({ amountCents: cents(1_000), payableUntil: now })
    const at = (minute: number) => fixtureNow + minute * 60_000
    const row = (number: number, amount: number, more: Partial<TermsRow>): TermsRow => ({
      ...pickTerms(pending),
      number,
      amountCents: cents(amount),
      requestedAt: at(number),
      ...more,
    })
    const termsRows = [
      row(1, 1_000, { inForceAt: at(1) }),
      row(2, 2_000, { by: "portal", key: "a", refusedAt: at(2.5), rejection: "no" }),
      // The bank's later answer doesn't put these terms in force over the bank's own.
      row(3, 3_000, { by: "host", key: "b", inForceAt: at(6) }),
      row(4, 4_000, { by: "bank", inForceAt: at(4) }),
      row(5, 5_000, { by: "host", key: "c" }),
    ]
    const changed = { ...pending, amountCents: cents(4_000), termsRows }
    const entries = entriesOf(changed).map((entry) => {
      const isChange = "terms" in entry
      const found = isChange ? [entry.number, entry.by, entry.before.amountCents, entry.terms.amountCents] : []
      return [entry.kind, entry.at === pending.createdAt ? 0 : (entry.at - fixtureNow) / 60_000, ...found]
    })
    expect(entries).toEqual([
      ["issued", 0],
      ["changeRequested", 2, 2, "portal", 1_000, 2_000],
      ["changeRefused", 2.5, 2, "portal", 1_000, 2_000],
      ["changeRequested", 3, 3, "host", 1_000, 3_000],
      ["changed", 4, 4, "bank", 1_000, 4_000],
      ["changeRequested", 5, 5, "host", 4_000, 5_000],
      ["changed", 6, 3, "host", 1_000, 3_000],
    ])
    const [issued, , refused] = entriesOf(changed)
    expect(issued).toMatchObject({ amountCents: 1_000 })
    expect(refused).toMatchObject({ rejection: "no" })
    expect(JSON.stringify(entriesOf(changed))).not.toContain(pending.payer?.name ?? "no payer")
  })

  it("shows request, payment, partial refunds, returns and erasure", () => {
    const pending = { ...aPendingCharge(), dueDate: "2026-06-30" as LocalDate }
    const { createdAt, amountCents, dueDate, payableUntil } = pending
    const issued = { kind: "issued", at: createdAt, amountCents, dueDate }
    expect(storyEntries({ charge: pending, exceptions: [], deliveries: [], records: [] }, createdAt)).toStrictEqual([
      issued,
    ])
    const cancelled = { ...aCancelledCharge(pending), cancelledAt: createdAt + 5 }
    expect(entriesOf(cancelled)).toStrictEqual([issued, { kind: "cancelled", at: createdAt + 5 }])
    const removed = { kind: "cancelled", at: createdAt + 5, by: "bank" }
    expect(entriesOf({ ...cancelled, cancelledBy: "bank" })).toStrictEqual([issued, removed])
    const paid = aPaidCharge(pending)
    const partialRefund = aPartialRefund(paid, { requestedAt: payableUntil - 20 })
    const returned = aReturn(paid.payment, { id: partialRefund.refund.id, returnedAt: payableUntil - 10 })
    const charge = { ...aPartlyRefundedCharge(paid, partialRefund), payerErasedAt: payableUntil - 5 }
    const requested = { kind: "partialRefund", at: payableUntil - 20, partialRefund }
    const before = [issued, { kind: "paid", at: paid.payment.paidAt, payment: paid.payment }]
    const erased = { kind: "payerErased", at: payableUntil - 5 }
    expect(entriesOf(charge)).toStrictEqual([...before, { ...requested, status: "refunding" }, erased])
    const part = { ...partialRefund, amountCents: returned.amountCents }
    expect(entriesOf({ ...charge, partialRefunds: [part], returns: [returned] })).toStrictEqual([
      ...before,
      { ...requested, partialRefund: part, status: "returned" },
      { kind: "return", at: payableUntil - 10, returned },
      erased,
    ])
  })

  it("shows refunds under way and failed refunds, with the bank's reason", () => {
    const refunding = aRefundingCharge(aPaidCharge(aPendingCharge()))
    const { requestedAt } = refunding.refund
    expect(entriesOf(refunding).at(-1)).toEqual({
      kind: "refund",
      at: requestedAt,
      amountCents: 1_990,
      status: "refunding",
    })
    expect(entriesOf(aFailedRefund(refunding, "sem saldo")).at(-1)).toMatchObject({
      kind: "refund",
      at: requestedAt,
      status: "failed",
      rejection: "sem saldo",
    })
    const refunded = { ...refunding, _tag: "Refunded" as const, refundedAt: requestedAt + 1 }
    expect(entriesOf(refunded).slice(-2)).toEqual([
      { kind: "refund", at: requestedAt, amountCents: 1_990, status: "returned" },
      { kind: "refunded", at: requestedAt + 1 },
    ])
  })

  it("sorts entries of one time: request, refund, return, completion", () => {
    const refunding = aRefundingCharge(aPaidCharge(aPendingCharge()))
    const { requestedAt: at } = refunding.refund
    const { payment, issuer, id } = refunding
    const returns = [aReturn(payment, { kind: "refund", returnedAt: at })]
    const charge = { ...refunding, _tag: "Refunded" as const, refundedAt: at, returns }
    const change = { kind: "refundRequested", chargeId: id } as const
    const records = [{ id: "1", at, cnpj: issuer, by: "ana", change }]
    const entries = storyEntries({ charge, exceptions: [], deliveries: [], records }, now)
    expect(entries.filter((entry) => entry.at === at).map(({ kind }) => kind)).toEqual([
      "audit",
      "refund",
      "return",
      "refunded",
    ])
  })

  it("shows an exception's outcome and returns", () => {
    const pending = aPendingCharge()
    const refund = { id: "R1", attempt: 1, requestedAt: fixtureNow + 5_000 }
    const open = anException({})
    const part = aReturn(open.payment, { amountCents: cents(5), returnedAt: fixtureNow + 9_000 })
    const failed = anException({
      payment: open.payment,
      state: { _tag: "Open", failedRefund: { ...refund, rejection: "sem saldo" } },
      returns: [part],
    })
    const { endToEndId } = open.payment
    expect(entriesOf(pending, failed)).toMatchObject([
      { kind: "issued" },
      { kind: "exception", at: fixtureNow + 1_000, exception: failed },
      { kind: "exceptionRefund", at: refund.requestedAt, endToEndId, status: "failed", rejection: "sem saldo" },
      { kind: "return", at: part.returnedAt, returned: part },
      { kind: "expired" },
    ])
    const refunding = anException({ state: { _tag: "Refunding", refund, checkAt: now } })
    const requested = { kind: "exceptionRefund", at: refund.requestedAt, endToEndId: refunding.payment.endToEndId }
    expect(entriesOf(pending, refunding)[2]).toEqual({ ...requested, status: "refunding" })
    const resolved = anException({ state: { _tag: "Resolved", note: "no balcão", resolvedAt: fixtureNow + 7_000 } })
    const ended = { kind: "exceptionResolved", at: fixtureNow + 7_000, note: "no balcão" }
    expect(entriesOf(pending, resolved)[2]).toEqual({ ...ended, endToEndId: resolved.payment.endToEndId })
    expect(kinds(pending, anException({}))).toEqual(["issued", "exception", "expired"])
  })

  it("shows events, attempts and records, each at its time", () => {
    const charge = aPaidCharge(aPendingCharge())
    const event = anEvent(charge)
    const delivery = { event, endpointId: "loja", status: "delivered", attempts: 1 } as const
    const attempt = { startedAt: now + 2, latencyMs: 1 }
    const change = { kind: "payerShown", chargeId: charge.id } as const
    const record = { id: "1", at: now + 1, cnpj: charge.issuer, change }
    const parts = { charge, exceptions: [], deliveries: [{ delivery, attempts: [attempt] }], records: [record] }
    const entries = storyEntries(parts, now)
    expect(entries.filter(({ kind }) => kind === "event")).toEqual([{ kind: "event", at: event.occurredAt, delivery }])
    expect(entries.slice(-2)).toEqual([
      { kind: "audit", at: now + 1, record },
      { kind: "attempt", at: now + 2, eventId: event.id, endpointId: "loja", attempt },
    ])
  })
})

const { effect } = itWith(memoryStore())

const ports = Effect.gen(function* () {
  return {
    store: yield* ChargeStore,
    exceptions: yield* ExceptionStore,
    outbox: yield* Outbox,
    audit: yield* AuditLog,
  }
})

/** A stored, paid charge, with its event waiting for this number of endpoints. */
const aStoredCharge = Effect.fnUntraced(function* (endpoints: number) {
  const store = yield* ChargeStore
  const charge = aPendingCharge()
  yield* store.insert(charge)
  const next = aPaidCharge(charge)
  const deliveries = Array.from({ length: endpoints }, (_, index) => ({
    event: anEvent(next),
    endpointId: `e${index}`,
  }))
  yield* store.commit(aChange(charge, { next, payments: [next.payment], deliveries }))
  return next
})

effect("reads no story of an unknown charge", () =>
  Effect.gen(function* () {
    const { issuer, id } = aPendingCharge()
    const unknown = yield* Effect.flip(makeReadStory(yield* ports)(issuer, id))
    expect(unknown).toMatchObject({ _tag: "ChargeNotFound", issuer, id })
  }),
)

effect("reads at most 50 deliveries of a story, and reports if the story is cut", () =>
  Effect.gen(function* () {
    const readStory = makeReadStory(yield* ports)
    for (const [endpoints, isCut] of [
      [50, false],
      [51, true],
    ] as const) {
      const { issuer, id } = yield* aStoredCharge(endpoints)
      const story = yield* readStory(issuer, id)
      expect([story.entries.filter(({ kind }) => kind === "event").length, story.isCut]).toEqual([50, isCut])
    }
  }),
)

effect("reads a delivery's last 50 attempts, and reports if the story is cut", () =>
  Effect.gen(function* () {
    const all = yield* ports
    const { outbox } = all
    const { issuer, id } = yield* aStoredCharge(1)
    const attempts = makeReadStory(all)(issuer, id).pipe(
      Effect.map(({ entries, isCut }) => {
        const started = entries.flatMap((entry) => (entry.kind === "attempt" ? [entry.attempt.startedAt] : []))
        return { isCut, count: started.length, first: started[0], last: started.at(-1) }
      }),
    )
    const first = fixtureNow + 10_000_000
    const failAttempt = Effect.fnUntraced(function* (startedAt: number) {
      const { queues } = yield* outbox.claim({ now: startedAt, limit: 1, deliveries: 1, leaseMs: 60_000 })
      const settlements = queues.flatMap(({ lease, due }) =>
        due.map(({ event, attempt }) => ({
          lease,
          eventId: event.id,
          number: attempt,
          fate: { _tag: "Retry" as const, at: startedAt + 1 },
          attempt: { startedAt, latencyMs: 1 },
        })),
      )
      yield* outbox.settle(settlements, startedAt)
      yield* outbox.release(queues.map(({ lease }) => lease))
    })
    for (let index = 0; index < 50; index++) yield* failAttempt(first + index)
    expect(yield* attempts).toEqual({ isCut: false, count: 50, first, last: first + 49 })
    yield* failAttempt(first + 50)
    expect(yield* attempts).toEqual({ isCut: true, count: 50, first: first + 1, last: first + 50 })
  }),
)

effect("reads the last 100 records about the charge and each exception, and reports if the story is cut", () =>
  Effect.gen(function* () {
    const all = yield* ports
    const { store, audit } = all
    const charge = yield* aStoredCharge(0)
    const { issuer, id } = charge
    const further = aPayment(charge)
    yield* store.commit(aChange(charge, { payments: [further] }))
    const append = (change: AuditChange) => audit.append(issuer, change)
    const recorded = makeReadStory(all)(issuer, id).pipe(
      Effect.map(({ entries, isCut }) => {
        const records = entries.flatMap((entry) => (entry.kind === "audit" ? [entry.record.change.kind] : []))
        return [isCut, records.length, records.includes("exceptionResolved"), records.includes("chargeCancelled")]
      }),
    )
    yield* append({ kind: "chargeCancelled", chargeId: id })
    yield* append({ kind: "exceptionResolved", endToEndId: further.endToEndId, hasNote: false })
    yield* append({ kind: "exceptionResolved", endToEndId: "E0", hasNote: false })
    for (let index = 1; index < 100; index++) yield* append({ kind: "payerShown", chargeId: id })
    expect(yield* recorded).toEqual([false, 101, true, true])
    yield* append({ kind: "payerShown", chargeId: id })
    expect(yield* recorded).toEqual([true, 101, true, false])
  }),
)
