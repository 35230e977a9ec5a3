import { type Change, ChargeLists, ChargeStore, type Insertion, Outbox } from "@pixcharge/core"
import { type Charge, chargeEvent, type PendingCharge } from "@pixcharge/core/charges"
import { maximumChargeCents, minimumChargeCents } from "@pixcharge/core/money"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import fc from "fast-check"
import { describe, expect } from "vitest"
import {
  aChange,
  aChargeId,
  aFailedRefund,
  aPaidCharge,
  aPendingCharge,
  cents,
  fixtureNow,
} from "../../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj, cpf } from "../../fixtures/Companies.ts"
import { anUnmatchedPayment, aPayment, aReturn } from "../../fixtures/Payments.ts"
import * as arbitrary from "../../fixtures/arbitraries/Charge.ts"
import {
  isRefused,
  type StoreHooks,
  storeTests,
  type StoreTests,
  type TestedPorts,
  unstorableAmounts,
  unstorableMoments,
  unstorableTexts,
} from "../StoreDriver.ts"
import { commit, find, insertCharge, insertPaid, openExceptions, requestRefund } from "../commits.ts"
import { commitCases } from "./commitCases.ts"
import { exceptionEventCases } from "./exceptionEventCases.ts"
import { expiryCases } from "./expiryCases.ts"
import { partialRefundCases } from "./partialRefundCases.ts"
import { paymentCases } from "./paymentCases.ts"
import { changedCases, ownerCases, standingCases } from "./readCases.ts"
import { returnCases } from "./returnCases.ts"
import { returnedPaymentCases } from "./returnedPaymentCases.ts"
import { termsRowCases } from "./termsRowCases.ts"
import { unmatchedCases } from "./unmatchedCases.ts"

/** Tests of a store's `ChargeStore`. */
export const chargeStoreSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: ChargeStore`, () => {
    const tests = storeTests(layer, hooks)
    describe("insert and find", () => insertCases(tests))
    describe("changed", () => changedCases(tests))
    describe("owners", () => ownerCases(tests))
    describe("standings", () => standingCases(tests))
    describe("commit", () => commitCases(tests))
    describe("payments", () => {
      paymentCases(tests)
      unmatchedCases(tests)
    })
    describe("events of exceptions", () => exceptionEventCases(tests))
    describe("expiries", () => expiryCases(tests))
    describe("returns", () => returnCases(tests))
    describe("returned payments", () => returnedPaymentCases(tests))
    describe("partial refunds", () => partialRefundCases(tests))
    describe("rows of terms", () => termsRowCases(tests))
    describe("unstorable values", () => unstorableCases(tests))
  })
}

const insert = (charge: PendingCharge) => Effect.flatMap(ChargeStore, (store) => store.insert(charge))

const existingCharges = (insertions: ReadonlyArray<Insertion>): ReadonlyArray<Charge> =>
  insertions.flatMap((insertion) => (insertion._tag === "Exists" ? [insertion.charge] : []))

export const insertCases = ({ test }: StoreTests): void => {
  test("inserts a new charge and finds it unchanged", () =>
    Effect.gen(function* () {
      const charge = aPendingCharge()
      expect(yield* insert(charge)).toEqual({ _tag: "Inserted" })
      expect(yield* find(charge)).toEqual(charge)
    }))

  test("finds no charge under an unused id", () =>
    Effect.gen(function* () {
      yield* insertCharge()
      expect(yield* find({ issuer: aCnpj, id: aChargeId() })).toBeUndefined()
    }))

  test("returns the charge of a taken id unchanged", () =>
    Effect.gen(function* () {
      const first = yield* insertCharge()
      const second = aPendingCharge({ id: first.id, amountCents: cents(5) })
      expect(yield* insert(second)).toEqual({ _tag: "Exists", charge: first })
      expect(yield* find(first)).toEqual(first)
    }))

  test("returns the paid charge of a taken id", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      expect(yield* insert(aPendingCharge({ id: paid.id }))).toEqual({ _tag: "Exists", charge: paid })
    }))

  test("inserts one of 40 concurrent charges with the same id, and returns it to every call", () =>
    Effect.gen(function* () {
      const id = aChargeId()
      const attempts = Array.from({ length: 40 }, () => aPendingCharge({ id }))
      const insertions = yield* Effect.all(attempts.map(insert), { concurrency: "unbounded" })
      const stored = yield* find({ issuer: aCnpj, id })
      expect(insertions.filter(({ _tag }) => _tag === "Inserted")).toHaveLength(1)
      expect(existingCharges(insertions)).toEqual(Array(39).fill(stored))
      const winner = attempts[insertions.findIndex(({ _tag }) => _tag === "Inserted")]
      expect(stored).toEqual(winner)
    }))

  test("inserts charges with new ids concurrently with charges whose ids are taken", () =>
    Effect.gen(function* () {
      const taken = yield* insertCharge()
      const twins = [aPendingCharge(), aPendingCharge()]
      const repeated = twins.flatMap((twin) => [twin, { ...twin, transactionId: crypto.randomUUID() }])
      const attempts = [{ ...taken, transactionId: crypto.randomUUID() }, ...repeated, aPendingCharge()]
      const insertions = yield* Effect.all(attempts.map(insert), { concurrency: "unbounded" })
      expect(insertions.filter(({ _tag }) => _tag === "Inserted")).toHaveLength(3)
      expect(insertions[0]).toEqual({ _tag: "Exists", charge: taken })
      for (const charge of existingCharges(insertions)) expect(yield* find(charge)).toEqual(charge)
    }))

  test("separates the charges of two companies under the same id", () =>
    Effect.gen(function* () {
      const id = aChargeId()
      const ours = aPendingCharge({ id })
      const theirs = aPendingCharge({ id, issuer: anotherCnpj, amountCents: cents(7) })
      const insertions = yield* Effect.all([insert(ours), insert(theirs)], { concurrency: "unbounded" })
      expect(insertions).toEqual([{ _tag: "Inserted" }, { _tag: "Inserted" }])
      expect(yield* find(ours)).toEqual(ours)
      expect(yield* find(theirs)).toEqual(theirs)
      expect(yield* find({ issuer: alphanumericCnpj, id })).toBeUndefined()
    }))

  test("keeps every cent of the smallest and the largest amount", () =>
    Effect.gen(function* () {
      for (const amount of [minimumChargeCents, maximumChargeCents - 1, maximumChargeCents]) {
        const charge = yield* insertCharge({ amountCents: cents(amount) })
        expect((yield* find(charge))?.amountCents).toBe(amount)
      }
    }))

  test("finds all of 300 concurrently inserted charges", () =>
    Effect.gen(function* () {
      const issuers = [aCnpj, anotherCnpj, alphanumericCnpj]
      const charges = Array.from({ length: 300 }, (_, index) => aPendingCharge({ issuer: issuers[index % 3] ?? aCnpj }))
      const insertions = yield* Effect.all(charges.map(insert), { concurrency: "unbounded" })
      expect(new Set(insertions.map(({ _tag }) => _tag))).toEqual(new Set(["Inserted"]))
      expect(yield* Effect.all(charges.map(find), { concurrency: "unbounded" })).toEqual(charges)
    }))

  test("returns every field of a new charge exactly as inserted, with any letters and amounts", () =>
    Effect.gen(function* () {
      for (const charge of fc.sample(arbitrary.pendingCharge, process.env["LONG"] ? 500 : 60)) {
        yield* insert(charge)
        expect(yield* find(charge)).toEqual(charge)
      }
    }))

  test("returns every field of a charge exactly as written, in every state", () =>
    Effect.gen(function* () {
      for (const [first, ...later] of fc.sample(arbitrary.chargeLife, process.env["LONG"] ? 500 : 60)) {
        yield* insert(first)
        let read: Charge = first
        for (const next of later) {
          const payments = next._tag === "Paid" && read._tag === "Pending" ? [next.payment] : []
          const returns = next.returns.slice(read.returns.length)
          expect((yield* commit(aChange(read, { next, payments, returns }))).moved).toBe(true)
          expect(yield* find(next)).toEqual(next)
          read = next
        }
      }
    }))
}

const always = { from: 0, until: fixtureNow * 2 }

/** The company's rows, except its charges. */
const rows = Effect.gen(function* () {
  const lists = yield* ChargeLists
  const page = { limit: 1000 }
  return [
    (yield* lists.payments(aCnpj, always, page)).items,
    (yield* lists.returns(aCnpj, always, page)).items,
    (yield* (yield* Outbox).list(aCnpj, {}, page)).items,
  ]
})

/** Expects a refused change that leaves everything unchanged. */
const changesNothing = Effect.fnUntraced(function* (charge: Charge, change: Partial<Change>) {
  const before = yield* rows
  yield* isRefused(commit(aChange(charge, change)))
  expect(yield* find(charge)).toEqual(charge)
  expect(yield* rows).toEqual(before)
})

/** New charges with one unstorable part. */
const unstorableCharges: ReadonlyArray<Partial<PendingCharge>> = [
  ...unstorableTexts.flatMap((text) => [{ brCode: text }, { payer: { name: text, taxId: cpf("52998224725") } }]),
  ...unstorableAmounts.map((amount) => ({ amountCents: cents(amount) })),
  ...unstorableMoments.flatMap((moment) => [{ payableUntil: moment, watchUntil: fixtureNow }, { checkAt: moment }]),
  { version: 2 ** 31 },
]

export const unstorableCases = ({ test }: StoreTests): void => {
  test("refuses a new charge with an unstorable part, and stores the valid charges inserted with it", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      const bad = unstorableCharges.map((overrides) => aPendingCharge(overrides))
      const good = bad.map(() => aPendingCharge())
      yield* Effect.all([...bad.map((charge) => isRefused(store.insert(charge))), ...good.map(store.insert)], {
        concurrency: "unbounded",
      })
      for (const charge of bad) expect(yield* find(charge)).toBeUndefined()
      for (const charge of good) expect(yield* find(charge)).toEqual(charge)
    }))

  test("writes nothing of a move with an unstorable string", () =>
    Effect.gen(function* () {
      for (const text of unstorableTexts) {
        const paid = yield* insertPaid()
        const refunding = yield* requestRefund(paid)
        yield* changesNothing(refunding, {
          next: aFailedRefund(refunding, text),
          payments: [aPayment(paid)],
          returns: [aReturn(paid.payment, { amountCents: cents(1) })],
        })
        const pending = yield* insertCharge()
        const payment = aPayment(pending, { endToEndId: text })
        yield* changesNothing(pending, { next: aPaidCharge(pending, payment), payments: [payment] })
        yield* changesNothing(pending, { payments: [aPayment(pending, { txid: text })] })
        yield* changesNothing(pending, { returns: [aReturn(aPayment(pending), { id: text })] })
        const next = aPaidCharge(pending)
        const deliveries = [
          { event: chargeEvent(next, "Padaria Aurora Ltda"), endpointId: text },
          { event: chargeEvent(next, text), endpointId: "loja" },
        ]
        for (const delivery of deliveries) {
          yield* changesNothing(pending, { next, payments: [next.payment], deliveries: [delivery] })
        }
      }
    }))

  test("writes nothing of a move with an unstorable number", () =>
    Effect.gen(function* () {
      const pending = yield* insertCharge()
      for (const amount of unstorableAmounts) {
        yield* changesNothing(pending, { payments: [aPayment(pending, { amountCents: cents(amount) })] })
        yield* changesNothing(pending, { returns: [aReturn(aPayment(pending), { amountCents: cents(amount) })] })
      }
      for (const moment of unstorableMoments) {
        yield* changesNothing(pending, { payments: [aPayment(pending, { paidAt: moment })] })
        yield* changesNothing(pending, { returns: [aReturn(aPayment(pending), { returnedAt: moment })] })
        const next = aPaidCharge(pending)
        yield* changesNothing(pending, { next: { ...next, checkAt: moment }, payments: [next.payment] })
        const refunded = { ...next, _tag: "Refunded" as const, refundedAt: moment }
        yield* changesNothing(pending, { next: refunded, payments: [next.payment] })
      }
      const next = { ...aPaidCharge(pending), version: 2 ** 31 }
      yield* changesNothing(pending, { next, payments: [next.payment] })
    }))

  test("refuses an unmatched payment with an unstorable part", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      const bad = [
        ...unstorableTexts.flatMap((text) => [{ endToEndId: text }, { txid: text }]),
        ...unstorableAmounts.map((amount) => ({ amountCents: cents(amount) })),
        ...unstorableMoments.map((moment) => ({ paidAt: moment })),
      ]
      for (const overrides of bad) yield* isRefused(store.recordUnmatched(anUnmatchedPayment(overrides)))
      expect(yield* openExceptions(aCnpj)).toEqual([])
    }))
}
