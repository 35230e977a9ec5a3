import { ChargeArchive, ChargeLists, ChargeStore, DueChecks, PayerData } from "@pixcharge/core"
import type { PaidCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aCancelledCharge, aPendingCharge, aRefundingCharge, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, cpf } from "../../fixtures/Companies.ts"
import { aPayment } from "../../fixtures/Payments.ts"
import {
  allPages,
  commit,
  find,
  inserted,
  insertedAndPaid,
  openExceptions,
  refundAskedFor,
  refundedFrom,
} from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const always = { from: 0, until: fixtureNow * 2 }
const longAfter = fixtureNow + 1e10

const archive = (settledBefore = longAfter, limit = 1_000) =>
  Effect.flatMap(ChargeArchive, (charges) => charges.archive(settledBefore, limit))

export const archiveCases = ({ test }: StoreTests): void => {
  test("settled charges are archived once; what still moves or is still watched is not", () =>
    Effect.gen(function* () {
      yield* insertedAndPaid()
      yield* refundedFrom(yield* insertedAndPaid())
      const pending = yield* inserted()
      yield* commit(aChange(pending, { next: aCancelledCharge(pending) }))
      yield* refundAskedFor(yield* insertedAndPaid())
      yield* inserted({ watchUntil: longAfter + 1, checkAt: longAfter })
      expect(yield* archive()).toBe(3)
      expect(yield* archive()).toBe(0)
    }))

  test("a charge that nobody paid is archived after its watch has ended", () =>
    Effect.gen(function* () {
      const { watchUntil } = yield* inserted()
      expect(yield* archive(watchUntil)).toBe(0)
      expect(yield* archive(watchUntil + 1)).toBe(1)
    }))

  test("what is still to be checked, or is on its way back, is not archived however old it is", () =>
    Effect.gen(function* () {
      const { watchUntil } = yield* inserted({ checkAt: longAfter + 1 })
      expect(watchUntil).toBeLessThan(longAfter)
      const asked = yield* refundAskedFor(yield* insertedAndPaid())
      yield* (yield* DueChecks).scheduleCharge(asked, undefined)
      expect(yield* archive()).toBe(0)
    }))

  test("what settled at the moment itself or later stays", () =>
    Effect.gen(function* () {
      const { updatedAt } = yield* insertedAndPaid()
      expect(yield* archive(updatedAt)).toBe(0)
      expect(yield* archive(updatedAt + 1)).toBe(1)
    }))

  test("no more than the limit is archived at a time", () =>
    Effect.gen(function* () {
      for (let at = 0; at < 7; at++) yield* insertedAndPaid()
      expect([yield* archive(longAfter, 3), yield* archive(longAfter, 3), yield* archive(longAfter, 3)]).toEqual([
        3, 3, 1,
      ])
    }))

  test("an archived charge is found as before, and its id stays taken", () =>
    Effect.gen(function* () {
      const other = yield* insertedAndPaid({ payer: { name: "Rui", taxId: cpf("11144477735") } })
      const charge = yield* insertedAndPaid({ payer: { name: "Ana", taxId: cpf("52998224725") } })
      yield* archive()
      expect([yield* find(other), yield* find(charge)]).toEqual([other, charge])
      const again = aPendingCharge({ id: charge.id })
      expect(yield* (yield* ChargeStore).insert(again)).toEqual({ _tag: "Exists", charge })
      expect(yield* find(charge)).toEqual(charge)
    }))

  test("archived charges and their payments stay in the lists", () =>
    Effect.gen(function* () {
      const lists = yield* ChargeLists
      const old = yield* insertedAndPaid({ createdAt: fixtureNow })
      yield* archive()
      const young = yield* insertedAndPaid({ createdAt: fixtureNow + 1 })
      expect((yield* allPages((page) => lists.charges(aCnpj, always, page), 1)).flat()).toEqual([young, old])
      expect((yield* lists.payments(aCnpj, always, { limit: 10 })).items).toEqual([old.payment, young.payment])
    }))

  test("an archived charge still moves: a refund begins on it, and a further payment is an exception", () =>
    Effect.gen(function* () {
      const charge: PaidCharge = yield* insertedAndPaid()
      yield* archive()
      const further = aPayment(charge)
      const next = aRefundingCharge(charge)
      expect(yield* commit(aChange(charge, { next, payments: [further] }))).toEqual({
        moved: true,
        freshPayments: [further.endToEndId],
        foreignPayments: [],
      })
      expect(yield* find(charge)).toEqual(next)
      expect((yield* openExceptions(aCnpj)).map(({ payment }) => payment)).toEqual([further])
      const lists = yield* ChargeLists
      expect(yield* lists.charges(aCnpj, always, { limit: 10 })).toEqual({ items: [next] })
    }))

  test("a payer's rights reach archived charges", () =>
    Effect.gen(function* () {
      const payer = { name: "Ana", taxId: cpf("52998224725") }
      const charge = yield* insertedAndPaid({ payer })
      const other = yield* insertedAndPaid({ payer: { name: "Rui", taxId: cpf("11144477735") } })
      yield* archive()
      const payers = yield* PayerData
      expect(yield* payers.export(aCnpj, payer.taxId)).toEqual({ charges: [charge] })
      expect(yield* payers.erase(aCnpj, payer.taxId, longAfter)).toBe(1)
      expect(yield* find(charge)).toMatchObject({ payerErasedAt: longAfter, payment: charge.payment })
      expect(yield* find(other)).toEqual(other)
    }))
}
