import { ChargeArchive } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aRefundingCharge, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj } from "../../fixtures/Companies.ts"
import { aPayment, aReturn } from "../../fixtures/Payments.ts"
import { aChange, allPages, commit, find, insertedAndPaid } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const returns = Effect.fnUntraced(function* () {
  const archive = yield* ChargeArchive
  return (yield* allPages((page) => archive.returns(aCnpj, { from: 0, until: fixtureNow * 2 }, page), 1000)).flat()
})

export const returnCases = ({ test }: StoreTests): void => {
  test("a return is recorded once by its payment and id", () =>
    Effect.gen(function* () {
      const charge = yield* insertedAndPaid()
      const half = aReturn(charge.payment, { amountCents: cents(995) })
      for (let time = 0; time < 3; time++) yield* commit(aChange(charge, { returns: [half, half] }))
      yield* commit(aChange(charge, { returns: [{ ...half, amountCents: cents(1), kind: "dispute" }] }))
      expect(yield* returns()).toEqual([half])
    }))

  test("the same id for another payment is another return", () =>
    Effect.gen(function* () {
      const charge = yield* insertedAndPaid()
      const further = aPayment(charge, { paidAt: charge.payment.paidAt + 1 })
      const rows = [charge.payment, further].map((payment) => aReturn(payment, { id: "D1" }))
      yield* commit(aChange(charge, { payments: [further], returns: rows }))
      expect(yield* returns()).toEqual(rows)
    }))

  test("a charge is found with every return of its settling payment, and of no other", () =>
    Effect.gen(function* () {
      const charge = yield* insertedAndPaid()
      const further = aPayment(charge)
      const first = aReturn(charge.payment, { amountCents: cents(1) })
      const second = aReturn(charge.payment, { amountCents: cents(2), returnedAt: first.returnedAt + 5 })
      yield* commit(aChange(charge, { payments: [further], returns: [aReturn(further), second, first] }))
      expect(yield* find(charge)).toEqual({ ...charge, returns: [first, second] })
    }))

  test("a return is recorded even though the version is stale, and found with the charge", () =>
    Effect.gen(function* () {
      const charge = yield* insertedAndPaid()
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
      expect(yield* find(charge)).toEqual({ ...charge, version: 3, returns: halves })
    }))

  test("a return of a payment that settled nothing leaves the charge without returns", () =>
    Effect.gen(function* () {
      const charge = yield* insertedAndPaid()
      const further = aPayment(charge)
      yield* commit(aChange(charge, { payments: [further], returns: [aReturn(further)] }))
      expect(yield* find(charge)).toEqual(charge)
    }))

  test("a move keeps the returns that came too late to be seen by it", () =>
    Effect.gen(function* () {
      const charge = yield* insertedAndPaid()
      const part = aReturn(charge.payment, { amountCents: cents(5) })
      yield* commit(aChange(charge, { returns: [part] }))
      const next = aRefundingCharge(charge)
      expect((yield* commit(aChange(charge, { next }))).moved).toBe(true)
      expect(yield* find(charge)).toEqual({ ...next, returns: [part] })
    }))
}
