import { ChargeLists, ChargeStore, ExceptionStore } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aPaidCharge, aRefundingCharge, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { aPayment, aReturn, anUnmatchedPayment } from "../../fixtures/Payments.ts"
import { allPages, commit, find, insertCharge, insertPaid } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const returns = Effect.fnUntraced(function* () {
  const lists = yield* ChargeLists
  return (yield* allPages((page) => lists.returns(aCnpj, { from: 0, until: fixtureNow * 2 }, page), 1000)).flat()
})

export const returnCases = ({ test }: StoreTests): void => {
  test("records a return once by its payment and id", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const half = aReturn(charge.payment, { amountCents: cents(995) })
      for (let time = 0; time < 3; time++) yield* commit(aChange(charge, { returns: [half, half] }))
      yield* commit(aChange(charge, { returns: [{ ...half, amountCents: cents(1), kind: "dispute" }] }))
      expect(yield* returns()).toEqual([half])
    }))

  test("records a return once, even if its id comes in upper case or in an exception's commit", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const half = aReturn(charge.payment, { id: "PortalAb1", amountCents: cents(995) })
      const again = { ...half, id: "PORTALAB1" }
      yield* commit(aChange(charge, { returns: [half, again] }))
      yield* commit(aChange(charge, { returns: [again] }))
      const { issuer, endToEndId } = half
      const next = { _tag: "Open" as const }
      yield* (yield* ExceptionStore).commit({
        issuer,
        endToEndId,
        expectedVersion: 0,
        movedAt: fixtureNow,
        next,
        returns: [again],
      })
      expect(yield* returns()).toHaveLength(1)
      expect((yield* find(charge))?.returns.map(({ amountCents }) => amountCents)).toEqual([995])
    }))

  test("records a return of each of two payments under the same return id", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const further = aPayment(charge, { paidAt: charge.payment.paidAt + 1 })
      const rows = [charge.payment, further].map((payment) => aReturn(payment, { id: "D1" }))
      yield* commit(aChange(charge, { payments: [further], returns: rows }))
      expect(yield* returns()).toEqual(rows)
    }))

  test("finds a charge with all returns of its settling payment, and with no other returns", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const further = aPayment(charge)
      const first = aReturn(charge.payment, { amountCents: cents(1) })
      const second = aReturn(charge.payment, { amountCents: cents(2), returnedAt: first.returnedAt + 5 })
      yield* commit(aChange(charge, { payments: [further], returns: [aReturn(further), second, first] }))
      expect(yield* find(charge)).toEqual({ ...charge, version: 3, returns: [first, second] })
    }))

  test("orders returns of the same time by their ids", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const rows = ["D1", "D2", "D3"].map((id) => aReturn(charge.payment, { id, amountCents: cents(1) }))
      for (const row of rows.toReversed()) yield* commit(aChange(charge, { returns: [row] }))
      expect((yield* find(charge))?.returns).toEqual(rows)
    }))

  test("records a return despite a stale version, and finds it with the charge", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const halves = [1, 2].map((at) =>
        aReturn(charge.payment, { amountCents: cents(995), returnedAt: charge.payment.paidAt + at }),
      )
      const answers = yield* Effect.all(
        halves.map((half) =>
          commit(aChange(charge, { next: { ...charge, version: 3, returns: [half] }, returns: [half] })),
        ),
        { concurrency: "unbounded" },
      )
      expect(answers.map(({ moved }) => moved).toSorted()).toEqual([false, true])
      expect(yield* find(charge)).toEqual({ ...charge, version: 4, returns: halves })
    }))

  test("doesn't show a charge the returns of a payment that didn't settle it", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const further = aPayment(charge)
      yield* commit(aChange(charge, { payments: [further], returns: [aReturn(further)] }))
      expect(yield* find(charge)).toEqual(charge)
    }))

  test("makes earlier decisions stale when a new return is recorded, even by a stale change", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const next = aRefundingCharge(charge)
      for (const expectedVersion of [1, 2]) {
        const read = (yield* find(charge)) ?? charge
        const part = aReturn(charge.payment, { id: `D${expectedVersion}`, amountCents: cents(5) })
        const stale = { ...next, version: expectedVersion + 1 }
        const facts = aChange(charge, { expectedVersion, returns: [part] })
        yield* commit(expectedVersion === 1 ? { ...facts, next: stale } : facts)
        const decided = { ...next, version: read.version + 1 }
        const late = aChange(charge, { expectedVersion: read.version, next: decided })
        expect((yield* commit(late)).moved).toBe(false)
      }
      expect((yield* find(charge))?.version).toBe(4)
    }))

  test("doesn't raise the version for a known return, or twice for a return with a move", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const part = aReturn(charge.payment, { amountCents: cents(5) })
      const next = { ...charge, version: 3, returns: [part] }
      expect((yield* commit(aChange(charge, { next, returns: [part] }))).moved).toBe(true)
      yield* commit(aChange(charge, { returns: [part] }))
      expect(yield* find(charge)).toEqual(next)
    }))

  test("raises an exception's version once for a new return of its payment", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const further = aPayment(charge)
      const exceptions = yield* ExceptionStore
      const { issuer, endToEndId } = further
      yield* commit(aChange(charge, { payments: [further] }))
      const returned = aChange(charge, { returns: [aReturn(further, { amountCents: cents(1) })] })
      for (let time = 0; time < 2; time++) {
        yield* commit(returned)
        expect((yield* exceptions.find(issuer, endToEndId))?.version).toBe(1)
      }
      const resolved = { _tag: "Resolved" as const, note: "fica", resolvedAt: further.paidAt }
      const late = { issuer, endToEndId, expectedVersion: 0, movedAt: fixtureNow, next: resolved, returns: [] }
      expect(yield* exceptions.commit(late)).toBe(false)
    }))

  test("keeps the version of an exception when only other payments of its charge or company get a return", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const theirs = yield* insertPaid({ issuer: anotherCnpj })
      const [further, beside] = [aPayment(charge), aPayment(charge)]
      const elsewhere = aPayment(theirs)
      yield* commit(aChange(charge, { payments: [further, beside] }))
      yield* commit(aChange(theirs, { payments: [elsewhere] }))
      const named = { ...aReturn(elsewhere, { amountCents: cents(1) }), issuer: aCnpj }
      yield* commit(aChange(charge, { returns: [aReturn(further, { amountCents: cents(1) }), named] }))
      const exceptions = yield* ExceptionStore
      const found = yield* Effect.forEach([further, beside, elsewhere], (one) =>
        exceptions.find(one.issuer, one.endToEndId),
      )
      expect(found.map((one) => one?.version)).toEqual([1, 0, 0])
    }))

  test("records and lists the returns of an unrecorded payment, each once", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const unrecorded = anUnmatchedPayment()
      const rows = [1, 2].map((at) =>
        aReturn(unrecorded, { amountCents: cents(at), returnedAt: unrecorded.paidAt + at }),
      )
      for (let time = 0; time < 2; time++) yield* commit(aChange(charge, { returns: rows.toReversed() }))
      expect(yield* returns()).toEqual(rows)
      expect(yield* find(charge)).toEqual(charge)
    }))

  test("shows returns that were recorded before their payment, on an exception and on a charge", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const payment = aPayment(charge)
      const stranger = anUnmatchedPayment()
      const part = aReturn(payment, { amountCents: cents(1) })
      const whole = aReturn(stranger)
      yield* commit(aChange(charge, { returns: [part, whole] }))
      yield* (yield* ChargeStore).recordUnmatched(stranger)
      const exceptions = yield* ExceptionStore
      expect((yield* exceptions.find(aCnpj, stranger.endToEndId))?.returns).toEqual([whole])
      expect((yield* exceptions.listOpen(aCnpj, { limit: 10 })).items).toEqual([])
      const next = { ...aPaidCharge(charge, payment), returns: [part] }
      expect((yield* commit(aChange(charge, { next, payments: [payment] }))).moved).toBe(true)
      expect(yield* find(charge)).toEqual(next)
    }))

  test("records a return by an exception's commit, even if its payment isn't recorded", () =>
    Effect.gen(function* () {
      const exceptions = yield* ExceptionStore
      const unrecorded = anUnmatchedPayment()
      const { issuer, endToEndId } = unrecorded
      const row = aReturn(unrecorded)
      const change = {
        issuer,
        endToEndId,
        expectedVersion: 0,
        movedAt: fixtureNow,
        next: { _tag: "Open" as const },
        returns: [row],
      }
      expect(yield* exceptions.commit(change)).toBe(false)
      expect(yield* returns()).toEqual([row])
    }))
}
