import { ChargeLists } from "@pixcharge/core"
import type { Charge, ChargeStatus } from "@pixcharge/core/charges"
import { newDebit } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { cents, day, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj, cpf } from "../../fixtures/Companies.ts"
import {
  cancelCharge,
  insertCharge,
  insertCycleCharge,
  insertPaid,
  pagedUnderInserts,
  refundCharge,
  requestRefund,
} from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const anyPayer = { name: "Clara Nunes", taxId: cpf("52998224725") }

const always = { from: 0, until: fixtureNow * 2 }

export const searchCases = ({ test }: StoreTests): void => {
  test("lists only the charges that have a status at a given time", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const expired = yield* insertCharge()
      const pending = yield* insertCharge({ payableUntil: fixtureNow + 3_600_000 })
      const refunding = yield* requestRefund(yield* insertPaid())
      const byStatus: Readonly<Record<ChargeStatus, Charge>> = {
        expired,
        pending,
        paid: yield* insertPaid(),
        refunding,
        refunded: yield* refundCharge(yield* insertPaid()),
        cancelled: yield* cancelCharge(yield* insertCharge()),
        failed: yield* insertCycleCharge({ debit: { ...newDebit, status: "unpaid" } }),
      }
      yield* insertCharge({ issuer: anotherCnpj })
      const listWithStatus = (is: ChargeStatus, at: number) =>
        lists.charges(aCnpj, { ...always, status: { is, at } }, { limit: 10 })
      for (const [is, charge] of Object.entries(byStatus)) {
        expect(yield* listWithStatus(is as ChargeStatus, expired.payableUntil + 1)).toEqual({ items: [charge] })
      }
      // The last millisecond is payable.
      expect((yield* listWithStatus("expired", expired.payableUntil)).items).toEqual([])
      expect((yield* listWithStatus("pending", expired.payableUntil)).items).toHaveLength(2)
      expect(yield* lists.charges(aCnpj, { from: 0, until: 1, status: { is: "paid", at: 1 } }, { limit: 10 })).toEqual({
        items: [],
      })
    }))

  test("filters charges by amount, due date and payment time, alone and combined", () =>
    Effect.gen(function* () {
      const due = yield* insertCharge({ amountCents: cents(500), dueDate: day("2027-01-31"), payer: anyPayer })
      const paid = yield* insertPaid({ amountCents: cents(700), createdAt: fixtureNow - 1 })
      const refunded = yield* refundCharge(yield* insertPaid({ amountCents: cents(900), createdAt: fixtureNow - 2 }))
      yield* insertCharge({ issuer: anotherCnpj, amountCents: cents(500) })
      const lists = yield* ChargeLists
      const find = (search: object) =>
        Effect.map(lists.charges(aCnpj, { ...always, ...search }, { limit: 10 }), ({ items }) => items)
      const amount = (minCents: number, maxCents: number) => ({ amount: { minCents, maxCents } })
      const dueOn = (from: string, until: string) => ({ due: { from: day(from), until: day(until) } })
      const { paidAt } = paid.payment
      expect(yield* find(amount(500, 700))).toEqual([due, paid])
      expect(yield* find(amount(501, Number.MAX_SAFE_INTEGER))).toEqual([paid, refunded])
      expect(yield* find(dueOn("2027-01-31", "2027-01-31"))).toEqual([due])
      expect(yield* find(dueOn("2027-02-01", "2027-02-28"))).toEqual([])
      expect(yield* find(dueOn("2027-01-01", "2027-01-30"))).toEqual([])
      expect(yield* find({ paid: { from: paidAt, until: paidAt + 1 } })).toContainEqual(paid)
      expect(yield* find({ paid: { from: 0, until: paidAt } })).not.toContainEqual(paid)
      expect(yield* find({ paid: always })).toEqual([paid, refunded])
      expect(yield* find({ paid: always, ...amount(900, 900) })).toEqual([refunded])
      expect(yield* find({ paid: always, status: { is: "paid", at: fixtureNow } })).toEqual([paid])
      expect(yield* find({ ...dueOn("2027-01-31", "2027-01-31"), text: anyPayer.name, ...amount(0, 500) })).toEqual([
        due,
      ])
      expect(yield* find({ ...amount(0, 499), text: anyPayer.name })).toEqual([])
      const next = yield* lists.charges(aCnpj, { ...always, ...amount(0, 900) }, { limit: 1 })
      const cursor = String(next.cursor)
      expect((yield* lists.charges(aCnpj, { ...always, ...amount(0, 900) }, { limit: 5, cursor })).items).toEqual([
        paid,
        refunded,
      ])
    }))

  for (const [what, search] of Object.entries({
    "a status": { status: { is: "expired", at: fixtureNow * 2 } },
    "a text": { text: "ana" },
    "a status and a text": { status: { is: "expired", at: fixtureNow * 2 }, text: "529.982.247-25" },
  } as const)) {
    test(`neither skips nor repeats charges found by ${what} on later pages while new ones are added`, () =>
      Effect.gen(function* () {
        const ids: Array<string> = []
        const payer = { name: "Ana", taxId: cpf("52998224725") }
        for (let index = 0; index < 22; index++) {
          ids.push((yield* insertCharge({ payer, createdAt: fixtureNow + Math.floor(index / 4) })).id)
          yield* cancelCharge(yield* insertCharge({ createdAt: fixtureNow + index }))
        }
        const lists = yield* ChargeLists
        const items = yield* pagedUnderInserts(
          (page) => lists.charges(aCnpj, { ...always, ...search }, page),
          5,
          insertCharge({ payer, createdAt: fixtureNow + 1_000 }),
        )
        expect(items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
        const moments = items.map(({ createdAt }) => createdAt)
        expect(moments).toEqual(moments.toSorted((a, b) => b - a))
      }))
  }
}
