import { ChargeLists, ChargeStore } from "@pixcharge/core"
import type { Payment } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { aChange, aChargeId, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { anEndToEndId, anUnmatchedPayment, aPayment, aReturn } from "../../fixtures/Payments.ts"
import { type StoreHooks, storeTests, type StoreTests, type TestedPorts } from "../StoreDriver.ts"
import { allPages, commit, insertCharge, insertPaid, pagedUnderInserts, settleCharge } from "../commits.ts"
import { searchCases } from "./searchCases.ts"
import { textSearchCases } from "./textSearchCases.ts"

/** Tests of a store's `ChargeLists`. */
export const chargeListsSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: ChargeLists`, () => {
    const tests = storeTests(layer, hooks)
    listCases(tests)
    searchCases(tests)
    textSearchCases(tests)
    paymentCases(tests)
  })
}

const always = { from: 0, until: fixtureNow * 2 }

export const listCases = ({ test }: StoreTests): void => {
  test("lists a company's charges newest first, as `find` returns them", () =>
    Effect.gen(function* () {
      const old = yield* insertPaid({ createdAt: fixtureNow })
      const young = yield* insertCharge({ createdAt: fixtureNow + 2 })
      const middle = yield* insertCharge({ createdAt: fixtureNow + 1 })
      yield* insertCharge({ issuer: anotherCnpj })
      const lists = yield* ChargeLists
      expect(yield* lists.charges(aCnpj, always, { limit: 10 })).toEqual({ items: [young, middle, old] })
    }))

  test("neither skips nor repeats a charge on later pages while new ones are added", () =>
    Effect.gen(function* () {
      const ids: Array<string> = []
      // Four charges share each creation time, so some pages end between them.
      for (let index = 0; index < 22; index++)
        ids.push((yield* insertCharge({ createdAt: fixtureNow + Math.floor(index / 4) })).id)
      const lists = yield* ChargeLists
      const items = yield* pagedUnderInserts(
        (page) => lists.charges(aCnpj, always, page),
        5,
        insertCharge({ createdAt: fixtureNow + 1_000 }),
      )
      expect(items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      const moments = items.map(({ createdAt }) => createdAt)
      expect(moments).toEqual(moments.toSorted((a, b) => b - a))
    }))

  test("includes the first millisecond of a period and excludes its end", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const charge = yield* insertPaid()
      const returned = aReturn(charge.payment)
      yield* commit(aChange(charge, { returns: [returned] }))
      const counted = Effect.fnUntraced(function* (from: number, until: number) {
        const page = { limit: 10 }
        return [
          (yield* lists.charges(aCnpj, { from, until }, page)).items.length,
          (yield* lists.payments(aCnpj, { from, until }, page)).items.length,
          (yield* lists.returns(aCnpj, { from, until }, page)).items.length,
        ]
      })
      const moments = [charge.createdAt, charge.payment.paidAt, returned.returnedAt]
      for (const [index, moment] of moments.entries()) {
        const only = [0, 0, 0].with(index, 1)
        expect(yield* counted(moment, moment + 1)).toEqual(only)
        expect((yield* counted(moment - 1, moment))[index]).toBe(0)
        expect((yield* counted(moment + 1, moment + 2))[index]).toBe(0)
        expect(yield* counted(moment, moment)).toEqual([0, 0, 0])
      }
    }))
}

export const paymentCases = ({ test }: StoreTests): void => {
  test("lists payments oldest first and then by endToEndId, matched or not", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const charge = yield* insertPaid()
      const { paidAt } = charge.payment
      const further = aPayment(charge, { paidAt: paidAt - 1 })
      const twin = aPayment(charge, { paidAt })
      const unmatched = anUnmatchedPayment({ paidAt: paidAt + 1 })
      yield* commit(aChange(charge, { payments: [twin, further] }))
      yield* (yield* ChargeStore).recordUnmatched(unmatched)
      yield* (yield* ChargeStore).recordUnmatched(anUnmatchedPayment({ issuer: anotherCnpj }))
      const twins = [charge.payment, twin].toSorted((a, b) => (a.endToEndId < b.endToEndId ? -1 : 1))
      expect(yield* lists.payments(aCnpj, always, { limit: 10 })).toEqual({
        items: [further, ...twins, unmatched],
      })
      expect(yield* lists.paymentsAt(aCnpj, always)).toEqual([further, ...twins, unmatched])
      const moment = { from: further.paidAt, until: further.paidAt + 1 }
      expect(yield* lists.paymentsAt(aCnpj, moment)).toEqual(
        [further, ...twins, unmatched].filter((payment) => payment.paidAt === further.paidAt),
      )
    }))

  test("finds several payments of one company by their endToEndIds, each once", () =>
    Effect.gen(function* () {
      const { paymentsById } = yield* ChargeLists
      const charge = yield* insertPaid()
      const unmatched = anUnmatchedPayment()
      yield* (yield* ChargeStore).recordUnmatched(unmatched)
      const theirs = yield* insertPaid({ issuer: anotherCnpj })
      const ids = [charge.payment, unmatched, theirs.payment, anUnmatchedPayment(), unmatched].map(
        ({ endToEndId }) => endToEndId,
      )
      const found = yield* paymentsById(aCnpj, ids)
      const byId = (rows: ReadonlyArray<Payment>) => rows.toSorted((a, b) => (a.endToEndId < b.endToEndId ? -1 : 1))
      expect(byId(found)).toEqual(byId([charge.payment, unmatched]))
      expect(yield* paymentsById(aCnpj, [])).toEqual([])
    }))

  test("neither skips nor repeats a payment on later pages while newer ones are added", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      const lists = yield* ChargeLists
      const rows = Array.from({ length: 23 }, (_, index) =>
        anUnmatchedPayment({ paidAt: fixtureNow + Math.floor(index / 5) }),
      )
      for (const row of rows) yield* store.recordUnmatched(row)
      const period = { from: 0, until: fixtureNow + 100 }
      const items = yield* pagedUnderInserts(
        (page) => lists.payments(aCnpj, period, page),
        4,
        store.recordUnmatched(anUnmatchedPayment({ paidAt: fixtureNow + 100 })),
      )
      const order = rows.toSorted((a, b) => a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1))
      expect(items).toEqual(order)
    }))

  test("lists returns oldest first, page by page", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const charge = yield* insertPaid()
      const rows = Array.from({ length: 9 }, (_, index) =>
        aReturn(charge.payment, { id: `D${index}`, amountCents: 1 as never, returnedAt: fixtureNow + (index >> 1) }),
      )
      yield* commit(aChange(charge, { returns: rows.toReversed() }))
      const pages = yield* allPages((page) => lists.returns(aCnpj, always, page), 2)
      expect(pages.flat()).toEqual(rows)
      expect(yield* lists.returns(anotherCnpj, always, { limit: 10 })).toEqual({ items: [] })
    }))

  test("finds the returns of several payments of the company, each once, oldest first", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const id = aChargeId()
      const endToEndId = anEndToEndId()
      const paidBy = Effect.fnUntraced(function* (issuer: Cnpj, payment: Parameters<typeof aPayment>[1]) {
        const pending = yield* insertCharge({ id, issuer, createdAt: fixtureNow - 1_000 })
        return yield* settleCharge(pending, aPayment(pending, payment))
      })
      const own = yield* paidBy(aCnpj, { endToEndId })
      const another = yield* paidBy(anotherCnpj, { endToEndId })
      const further = aPayment(own, { endToEndId: anEndToEndId() })
      const parts = (payment: typeof further, ...moments: ReadonlyArray<number>) =>
        moments.map((returnedAt, index) => aReturn(payment, { id: `D${index}`, amountCents: 1 as never, returnedAt }))
      const [early, late] = [fixtureNow - 9_000, fixtureNow + 90_000_000]
      const many = Array.from({ length: 150 }, (_, index) => (index < 75 ? late : early))
      const returns = [...parts(own.payment, late, early, fixtureNow), ...parts(further, ...many)]
      yield* commit(aChange(own, { payments: [further], returns }))
      yield* commit(aChange(another, { returns: parts(another.payment, fixtureNow) }))
      const inOrder = (some: typeof returns) =>
        some.toSorted((a, b) => a.returnedAt - b.returnedAt || (a.endToEndId + a.id < b.endToEndId + b.id ? -1 : 1))
      const listReturns = (...endToEndIds: ReadonlyArray<string>) => lists.returnsOf(aCnpj, endToEndIds)
      expect(yield* listReturns(endToEndId)).toEqual(inOrder(returns.slice(0, 3)))
      expect(yield* listReturns(further.endToEndId, endToEndId, endToEndId)).toEqual(inOrder(returns))
      expect(yield* lists.returnsOf(anotherCnpj, [endToEndId, further.endToEndId])).toHaveLength(1)
      expect(yield* listReturns()).toEqual([])
      expect(yield* listReturns(anEndToEndId())).toEqual([])
    }))

  test("limits a page to a thousand items", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      yield* Effect.all(
        Array.from({ length: 1_001 }, (_, index) =>
          store.recordUnmatched(anUnmatchedPayment({ paidAt: fixtureNow + index })),
        ),
        { concurrency: "unbounded" },
      )
      const lists = yield* ChargeLists
      const pages = yield* allPages((page) => lists.payments(aCnpj, always, page), 1_000)
      expect(pages.map(({ length }) => length)).toEqual([1_000, 1])
    }))

  test("finds one payment of the company by its endToEndId in any case, matched or not", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const capital = anUnmatchedPayment({ endToEndId: "E1A345678202606031500AbCdEfGhIjK" })
      const small = anUnmatchedPayment({ endToEndId: "e1b345678202606031500abcdefghijk" })
      const sameMinute = anUnmatchedPayment({ endToEndId: "E1A345678202606031500AbCdEfGhIjL" })
      for (const payment of [capital, small, sameMinute]) yield* (yield* ChargeStore).recordUnmatched(payment)
      const { payment: settling } = yield* insertPaid()
      for (const payment of [capital, small, settling]) {
        const { endToEndId } = payment
        for (const sought of [endToEndId, endToEndId.toUpperCase(), endToEndId.toLowerCase()]) {
          expect([sought, yield* lists.paymentInAnyCase(aCnpj, sought)]).toEqual([sought, payment])
          expect(yield* lists.paymentInAnyCase(anotherCnpj, sought)).toBeUndefined()
        }
      }
      for (const sought of [anEndToEndId(), capital.endToEndId.slice(0, -1), `${capital.endToEndId}x`, "E", "%"])
        expect([sought, yield* lists.paymentInAnyCase(aCnpj, sought)]).toEqual([sought, undefined])
    }))

  test("finds one payment of the company by its endToEndId, matched or not", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const charge = yield* insertPaid()
      const stranger = anUnmatchedPayment()
      yield* (yield* ChargeStore).recordUnmatched(stranger)
      for (const payment of [charge.payment, stranger]) {
        expect(yield* lists.payment(aCnpj, payment.endToEndId)).toEqual(payment)
        expect(yield* lists.payment(anotherCnpj, payment.endToEndId)).toBeUndefined()
      }
      expect(yield* lists.payment(aCnpj, anEndToEndId())).toBeUndefined()
    }))
}
