import { ChargeLists, ChargeStore } from "@pixcharge/core"
import type { Payment, Return } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aPaidCharge, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { aPayment, anUnmatchedPayment } from "../../fixtures/Payments.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { allPages, commit, find, insertCharge, insertPaid, openExceptions, settleCharge } from "../commits.ts"

const always = { from: 0, until: fixtureNow * 2 }

export const payments = Effect.fnUntraced(function* (issuer = aCnpj) {
  const lists = yield* ChargeLists
  return (yield* allPages((page) => lists.payments(issuer, always, page), 1000)).flat()
})

export const endToEndIds = (rows: ReadonlyArray<Payment>) => rows.map(({ endToEndId }) => endToEndId).toSorted()

export const recordUnmatched = (payment: Payment, returns?: ReadonlyArray<Return>) =>
  Effect.flatMap(ChargeStore, (store) => store.recordUnmatched(payment, returns))

export const paymentCases = ({ test }: StoreTests): void => {
  test("a payment is recorded once by its endToEndId", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const changed = { amountCents: cents(1), recordedAt: fixtureNow + 99_000, late: true, otherAmount: true }
      const repeated = { ...charge.payment, ...changed }
      expect(yield* commit(aChange(charge, { payments: [repeated] }))).toEqual({
        moved: false,
        freshPayments: [],
        foreignPayments: [],
      })
      expect(yield* payments()).toEqual([charge.payment])
      expect(yield* find(charge)).toEqual(charge)
    }))

  test("the same payment twice in one commit is one payment", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const payment = aPayment(charge)
      const next = aPaidCharge(charge, payment)
      expect(yield* commit(aChange(charge, { next, payments: [payment, payment] }))).toEqual({
        moved: true,
        freshPayments: [payment.endToEndId],
        foreignPayments: [],
      })
      expect(yield* payments()).toEqual([payment])
    }))

  test("of several payments in one commit each is recorded, and said to be new, once", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const several = Array.from({ length: 3 }, () => aPayment(charge))
      const [known, ...fresh] = several
      const first = yield* commit(aChange(charge, { payments: several.slice(0, 1) }))
      expect(first.freshPayments).toEqual([known?.endToEndId])
      const { freshPayments, foreignPayments } = yield* commit(aChange(charge, { payments: several }))
      expect([freshPayments, foreignPayments]).toEqual([fresh.map(({ endToEndId }) => endToEndId), []])
      expect(endToEndIds(yield* payments())).toEqual(endToEndIds(several))
    }))

  test("the same payment committed 30 times at once is recorded once and settles once", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const payment = aPayment(charge)
      const change = aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] })
      const answers = yield* Effect.all(
        Array.from({ length: 30 }, () => commit(change)),
        { concurrency: "unbounded" },
      )
      expect(answers.filter(({ moved }) => moved)).toHaveLength(1)
      expect(answers.flatMap(({ freshPayments }) => freshPayments)).toEqual([payment.endToEndId])
      expect(answers.flatMap(({ foreignPayments }) => foreignPayments)).toEqual([])
      expect(yield* payments()).toEqual([payment])
    }))

  test("of several payments of one charge at once, one settles it and all are recorded", () =>
    Effect.gen(function* () {
      for (const count of [2, 25]) {
        const charge = yield* insertCharge()
        const several = Array.from({ length: count }, () => aPayment(charge))
        const answers = yield* Effect.all(
          several.map((payment) =>
            commit(aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] })),
          ),
          { concurrency: "unbounded" },
        )
        expect(answers.map(({ freshPayments }) => freshPayments)).toEqual(several.map((row) => [row.endToEndId]))
        const winner = several[answers.findIndex(({ moved }) => moved)]
        expect(answers.filter(({ moved }) => moved)).toHaveLength(1)
        const after = yield* find(charge)
        expect(after?._tag === "Paid" && after.payment).toEqual(winner)
        const ofCharge = (yield* openExceptions(aCnpj)).filter(({ payment }) => payment.chargeId === charge.id)
        expect(endToEndIds(ofCharge.map(({ payment }) => payment))).toEqual(
          endToEndIds(several.filter((payment) => payment !== winner)),
        )
        expect(new Set(ofCharge.map(({ reason }) => reason))).toEqual(new Set(["furtherPayment"]))
      }
    }))

  test("a payment that settled one charge moves no other, and is reported as another charge's", () =>
    Effect.gen(function* () {
      const first = yield* insertPaid()
      const second = yield* insertCharge()
      const stolen = { ...first.payment, chargeId: second.id }
      const own = aPayment(second)
      const change = aChange(second, { next: aPaidCharge(second, stolen), payments: [stolen, own] })
      expect(yield* commit(change)).toEqual({
        moved: false,
        freshPayments: [own.endToEndId],
        foreignPayments: [stolen.endToEndId],
      })
      expect(yield* find(second)).toEqual(second)
      expect(yield* find(first)).toEqual(first)
    }))

  test("a further payment of one charge settles no other", () =>
    Effect.gen(function* () {
      const first = yield* insertPaid()
      const further = aPayment(first)
      yield* commit(aChange(first, { payments: [further] }))
      const second = yield* insertCharge()
      const stolen = { ...further, chargeId: second.id }
      const answer = yield* commit(aChange(second, { next: aPaidCharge(second, stolen), payments: [stolen] }))
      expect(answer).toEqual({ moved: false, freshPayments: [], foreignPayments: [further.endToEndId] })
    }))

  test("a payment that two charges claim at once settles one of them", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const charges = [yield* insertCharge(), yield* insertCharge()]
        const { endToEndId } = aPayment(charges[0] ?? (yield* insertCharge()))
        const answers = yield* Effect.all(
          charges.map((charge) => {
            const payment = aPayment(charge, { endToEndId })
            return commit(aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] }))
          }),
          { concurrency: "unbounded" },
        )
        expect(answers.filter(({ moved }) => moved)).toHaveLength(1)
        expect(answers.find(({ moved }) => !moved)).toEqual({
          moved: false,
          freshPayments: [],
          foreignPayments: [endToEndId],
        })
        const tags = (yield* Effect.all(charges.map(find))).map((charge) => charge?._tag)
        expect(tags.toSorted()).toEqual(["Paid", "Pending"])
      }
    }))

  test("a payment is in one company's books: it is refused for all others, and moves nothing there", () =>
    Effect.gen(function* () {
      const ours = yield* insertPaid()
      const { endToEndId } = ours.payment
      const theirs = yield* insertCharge({ issuer: anotherCnpj })
      const [taken, own] = [aPayment(theirs, { endToEndId }), aPayment(theirs)]
      const change = aChange(theirs, { next: aPaidCharge(theirs, taken), payments: [taken, own] })
      for (const freshPayments of [[own.endToEndId], []]) {
        expect(yield* commit(change)).toEqual({ moved: false, freshPayments, foreignPayments: [endToEndId] })
      }
      expect(yield* find(theirs)).toEqual(theirs)
      for (const same of [endToEndId, endToEndId.toLowerCase()]) {
        const elsewhere = anUnmatchedPayment({ issuer: alphanumericCnpj, endToEndId: same })
        expect(yield* recordUnmatched(elsewhere)).toBe(false)
      }
      expect(yield* recordUnmatched(anUnmatchedPayment({ issuer: alphanumericCnpj }))).toBe(true)
      expect(yield* find(ours)).toEqual(ours)
      const lists = yield* ChargeLists
      for (const issuer of [anotherCnpj, alphanumericCnpj]) {
        expect(yield* lists.payment(issuer, endToEndId)).toBeUndefined()
      }
    }))

  test("a payment without a charge is in one company's books as well, and that company may record it again", () =>
    Effect.gen(function* () {
      const unmatched = anUnmatchedPayment()
      expect(yield* recordUnmatched(unmatched)).toBe(true)
      expect(yield* recordUnmatched({ ...unmatched, issuer: anotherCnpj })).toBe(false)
      const theirs = yield* insertCharge({ issuer: anotherCnpj })
      const taken = aPayment(theirs, { endToEndId: unmatched.endToEndId })
      expect((yield* commit(aChange(theirs, { payments: [taken] }))).foreignPayments).toEqual([taken.endToEndId])
      expect(yield* settleCharge(yield* insertCharge(), unmatched)).toMatchObject({ _tag: "Paid" })
    }))

  test("of several companies that record one payment at once, one has it", () =>
    Effect.gen(function* () {
      const issuers = [aCnpj, anotherCnpj, alphanumericCnpj]
      for (let round = 0; round < 10; round++) {
        const { endToEndId } = anUnmatchedPayment()
        const charges = yield* Effect.forEach(issuers, (issuer) => insertCharge({ issuer }))
        const answers = yield* Effect.all(
          charges.map((charge, at) => {
            if (at === round % 3) return recordUnmatched(anUnmatchedPayment({ issuer: charge.issuer, endToEndId }))
            const payment = aPayment(charge, { endToEndId })
            const change = aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] })
            return Effect.map(commit(change), ({ moved }) => moved)
          }),
          { concurrency: "unbounded" },
        )
        expect(answers.filter(Boolean)).toHaveLength(1)
      }
    }))
}
