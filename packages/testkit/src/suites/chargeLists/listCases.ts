import { ChargeLists } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { aReturn } from "../../fixtures/Payments.ts"
import { commit, insertCharge, insertPaid } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { pagedUnderInserts } from "./pagedUnderInserts.ts"

const always = { from: 0, until: fixtureNow * 2 }

/** What is listed of a period. */
export const listCases = ({ test }: StoreTests): void => {
  test("a company's charges are listed newest first, as `find` gives them", () =>
    Effect.gen(function* () {
      const old = yield* insertPaid({ createdAt: fixtureNow })
      const young = yield* insertCharge({ createdAt: fixtureNow + 2 })
      const middle = yield* insertCharge({ createdAt: fixtureNow + 1 })
      yield* insertCharge({ issuer: anotherCnpj })
      const lists = yield* ChargeLists
      expect(yield* lists.charges(aCnpj, always, { limit: 10 })).toEqual({ items: [young, middle, old] })
    }))

  test("pages of charges miss none and repeat none, though new ones come in between", () =>
    Effect.gen(function* () {
      const ids: Array<string> = []
      // Four of every moment, so that pages end among equals.
      for (let at = 0; at < 22; at++) ids.push((yield* insertCharge({ createdAt: fixtureNow + Math.floor(at / 4) })).id)
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

  test("a period holds its first moment and not its last", () =>
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
      for (const [at, moment] of moments.entries()) {
        const only = [0, 0, 0].with(at, 1)
        expect(yield* counted(moment, moment + 1)).toEqual(only)
        expect((yield* counted(moment - 1, moment))[at]).toBe(0)
        expect((yield* counted(moment + 1, moment + 2))[at]).toBe(0)
        expect(yield* counted(moment, moment)).toEqual([0, 0, 0])
      }
    }))
}
