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
  test("records a payment once by its endToEndId", () =>
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

  test("records a payment once if one commit contains it twice", () =>
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

  test("records each of several payments in one commit, and reports it as new once", () =>
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

  test("records a payment once and settles once if 30 concurrent commits contain it", () =>
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

  test("settles a charge with one of several concurrent payments, and records all of them", () =>
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

  test("doesn't settle a second charge with the first charge's payment, and reports it as foreign", () =>
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

  test("doesn't settle a second charge with a further payment of the first", () =>
    Effect.gen(function* () {
      const first = yield* insertPaid()
      const further = aPayment(first)
      yield* commit(aChange(first, { payments: [further] }))
      const second = yield* insertCharge()
      const stolen = { ...further, chargeId: second.id }
      const answer = yield* commit(aChange(second, { next: aPaidCharge(second, stolen), payments: [stolen] }))
      expect(answer).toEqual({ moved: false, freshPayments: [], foreignPayments: [further.endToEndId] })
    }))

  test("settles one of two charges whose concurrent commits contain the same payment", () =>
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

  test("keeps a payment in one company's books, and doesn't settle another company's charge with it", () =>
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

  test("keeps an unmatched payment in one company's books, and lets that company record it again", () =>
    Effect.gen(function* () {
      const unmatched = anUnmatchedPayment()
      expect(yield* recordUnmatched(unmatched)).toBe(true)
      expect(yield* recordUnmatched({ ...unmatched, issuer: anotherCnpj })).toBe(false)
      const theirs = yield* insertCharge({ issuer: anotherCnpj })
      const taken = aPayment(theirs, { endToEndId: unmatched.endToEndId })
      expect((yield* commit(aChange(theirs, { payments: [taken] }))).foreignPayments).toEqual([taken.endToEndId])
      expect(yield* settleCharge(yield* insertCharge(), unmatched)).toMatchObject({ _tag: "Paid" })
    }))

  test("gives a payment to one of several companies that record it concurrently", () =>
    Effect.gen(function* () {
      const issuers = [aCnpj, anotherCnpj, alphanumericCnpj]
      for (let round = 0; round < 10; round++) {
        const { endToEndId } = anUnmatchedPayment()
        const charges = yield* Effect.forEach(issuers, (issuer) => insertCharge({ issuer }))
        const answers = yield* Effect.all(
          charges.map((charge, index) => {
            if (index === round % 3) return recordUnmatched(anUnmatchedPayment({ issuer: charge.issuer, endToEndId }))
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
