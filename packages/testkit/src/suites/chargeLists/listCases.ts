import { ChargeLists, ChargeStore, type Page, type PageRequest, type StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { aPayment, aReturn, anEndToEndId, anUnmatchedPayment } from "../../fixtures/Payments.ts"
import { allPages, commit, inserted, insertedAndPaid } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const always = { from: 0, until: fixtureNow * 2 }

type List<A> = (page: PageRequest) => Effect.Effect<Page<A>, StoreUnavailable>

/** Reads all pages, writing something new after each. */
const pagedUnderInserts = Effect.fnUntraced(function* <A, E, R>(
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

export const listCases = ({ test }: StoreTests): void => {
  test("a company's charges are listed newest first, as `find` gives them", () =>
    Effect.gen(function* () {
      const old = yield* insertedAndPaid({ createdAt: fixtureNow })
      const young = yield* inserted({ createdAt: fixtureNow + 2 })
      const middle = yield* inserted({ createdAt: fixtureNow + 1 })
      yield* inserted({ issuer: anotherCnpj })
      const lists = yield* ChargeLists
      expect(yield* lists.charges(aCnpj, always, { limit: 10 })).toEqual({ items: [young, middle, old] })
    }))

  test("pages of charges miss none and repeat none, though new ones come in between", () =>
    Effect.gen(function* () {
      const ids: Array<string> = []
      // Four of every moment, so that pages end among equals.
      for (let at = 0; at < 22; at++) ids.push((yield* inserted({ createdAt: fixtureNow + Math.floor(at / 4) })).id)
      const lists = yield* ChargeLists
      const items = yield* pagedUnderInserts(
        (page) => lists.charges(aCnpj, always, page),
        5,
        inserted({ createdAt: fixtureNow + 1_000 }),
      )
      expect(items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      const moments = items.map(({ createdAt }) => createdAt)
      expect(moments).toEqual(moments.toSorted((a, b) => b - a))
    }))

  test("a period holds its first moment and not its last", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const charge = yield* insertedAndPaid()
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
      for (const [at, moment] of moments.entries()) {
        const only = [0, 0, 0].with(at, 1)
        expect(yield* counted(moment, moment + 1)).toEqual(only)
        expect((yield* counted(moment - 1, moment))[at]).toBe(0)
        expect((yield* counted(moment + 1, moment + 2))[at]).toBe(0)
        expect(yield* counted(moment, moment)).toEqual([0, 0, 0])
      }
    }))

  test("payments are listed oldest first and then by endToEndId, matched or not", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const charge = yield* insertedAndPaid()
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
    }))

  test("pages of payments miss none and repeat none, though newer ones come in between", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      const lists = yield* ChargeLists
      const rows = Array.from({ length: 23 }, (_, at) =>
        anUnmatchedPayment({ paidAt: fixtureNow + Math.floor(at / 5) }),
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

  test("returns are listed oldest first, page by page", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const charge = yield* insertedAndPaid()
      const rows = Array.from({ length: 9 }, (_, at) =>
        aReturn(charge.payment, { id: `D${at}`, amountCents: 1 as never, returnedAt: fixtureNow + (at >> 1) }),
      )
      yield* commit(aChange(charge, { returns: rows.toReversed() }))
      const pages = yield* allPages((page) => lists.returns(aCnpj, always, page), 2)
      expect(pages.flat()).toEqual(rows)
      expect(yield* lists.returns(anotherCnpj, always, { limit: 10 })).toEqual({ items: [] })
    }))

  test("the largest page holds a thousand", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      yield* Effect.all(
        Array.from({ length: 1_001 }, (_, at) =>
          store.recordUnmatched(anUnmatchedPayment({ paidAt: fixtureNow + at })),
        ),
        { concurrency: "unbounded" },
      )
      const lists = yield* ChargeLists
      const pages = yield* allPages((page) => lists.payments(aCnpj, always, page), 1_000)
      expect(pages.map(({ length }) => length)).toEqual([1_000, 1])
    }))

  test("one payment is found by its endToEndId, matched or not, and by its own company alone", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const charge = yield* insertedAndPaid()
      const stranger = anUnmatchedPayment()
      yield* (yield* ChargeStore).recordUnmatched(stranger)
      for (const payment of [charge.payment, stranger]) {
        expect(yield* lists.payment(aCnpj, payment.endToEndId)).toEqual(payment)
        expect(yield* lists.payment(anotherCnpj, payment.endToEndId)).toBeUndefined()
      }
      expect(yield* lists.payment(aCnpj, anEndToEndId())).toBeUndefined()
    }))
}
