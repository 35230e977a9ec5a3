import { ExceptionStore } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aPaidCharge, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj } from "../../fixtures/Companies.ts"
import { aPayment, anUnmatchedPayment, aReturn } from "../../fixtures/Payments.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { cancelCharge, commit, find, insertCharge, insertPaid, openExceptions } from "../commits.ts"
import { recordUnmatched, endToEndIds, payments } from "./paymentCases.ts"

export const unmatchedCases = ({ test }: StoreTests): void => {
  test("records an unmatched payment once", () =>
    Effect.gen(function* () {
      const payment = anUnmatchedPayment()
      expect(yield* recordUnmatched(payment)).toBe(true)
      expect(yield* recordUnmatched({ ...payment, amountCents: cents(3) })).toBe(false)
      expect(yield* payments()).toEqual([payment])
    }))

  test("reports one of 20 concurrent recordings of an unmatched payment as the first", () =>
    Effect.gen(function* () {
      const payment = anUnmatchedPayment()
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => recordUnmatched(payment)),
        {
          concurrency: "unbounded",
        },
      )
      expect(answers.filter(Boolean)).toHaveLength(1)
    }))

  test("records an unmatched payment with its returns, but adds no returns to a known payment", () =>
    Effect.gen(function* () {
      const exceptions = yield* ExceptionStore
      const payment = anUnmatchedPayment()
      const { issuer, endToEndId } = payment
      const half = aReturn(payment, { id: "PortalAb1", amountCents: cents(payment.amountCents / 2) })
      expect(yield* recordUnmatched(payment, [half, { ...half, id: "PORTALAB1" }])).toBe(true)
      expect(yield* recordUnmatched(payment, [aReturn(payment)])).toBe(false)
      const found = yield* exceptions.find(issuer, endToEndId)
      expect(found?.returns.map(({ amountCents }) => amountCents)).toEqual([payment.amountCents / 2])
      const otherPayment = anUnmatchedPayment()
      yield* recordUnmatched(otherPayment, [aReturn(otherPayment)])
      expect(endToEndIds((yield* openExceptions(aCnpj)).map((open) => open.payment))).toEqual([endToEndId])
    }))

  test("refuses a charge's payment as unmatched", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const { chargeId: _, ...again } = charge.payment
      expect(yield* recordUnmatched(again)).toBe(false)
      expect(yield* payments()).toEqual([charge.payment])
    }))

  test("settles a charge by an unmatched payment, which then belongs to the charge", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const payment = aPayment(charge, { late: true, otherAmount: true })
      const { chargeId: _, ...before } = payment
      const unmatched = { ...before, late: false, otherAmount: false }
      yield* recordUnmatched(unmatched)
      const next = aPaidCharge(charge, payment)
      expect(yield* commit(aChange(charge, { next, payments: [payment] }))).toEqual({
        moved: true,
        freshPayments: [],
        foreignPayments: [],
      })
      expect(yield* find(charge)).toEqual(next)
      expect(yield* payments()).toEqual([payment])
      expect(yield* openExceptions(aCnpj)).toEqual([])
    }))

  test("makes an unmatched payment a further payment of the charge that a stale commit names", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const payment = aPayment(charge)
      const { chargeId: _, ...unmatched } = payment
      yield* recordUnmatched(unmatched)
      yield* cancelCharge(charge)
      yield* commit(aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] }))
      const [open] = yield* openExceptions(aCnpj)
      expect([open?.reason, open?.payment]).toEqual(["cancelledCharge", payment])
    }))

  test("doesn't settle a charge by an unmatched payment that is resolved or under refund", () =>
    Effect.gen(function* () {
      const exceptions = yield* ExceptionStore
      const states = [
        { _tag: "Refunding", refund: { id: "R1", attempt: 1, requestedAt: fixtureNow }, checkAt: fixtureNow },
        { _tag: "Resolved", note: "pedido 12", resolvedAt: fixtureNow },
        // The bank refused the refund, but one call is unanswered: a refund of the charge could return the money twice.
        {
          _tag: "Open",
          failedRefund: { id: "R1", attempt: 1, requestedAt: fixtureNow, unanswered: [fixtureNow], rejection: "no" },
        },
      ] as const
      for (const next of states) {
        const charge = yield* insertCharge()
        const payment = aPayment(charge)
        const { chargeId: _, ...unmatched } = payment
        const { issuer, endToEndId } = payment
        yield* recordUnmatched(unmatched)
        yield* exceptions.commit({ issuer, endToEndId, expectedVersion: 0, movedAt: fixtureNow, next, returns: [] })
        const answer = yield* commit(aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] }))
        expect(answer).toEqual({ moved: false, freshPayments: [], foreignPayments: [endToEndId] })
        expect(yield* find(charge)).toEqual(charge)
        expect((yield* exceptions.find(issuer, endToEndId))?.reason).toBe("unmatched")
      }
    }))

  test("settles a charge by a payment from an earlier stale change, unless the payment's refund has begun", () =>
    Effect.gen(function* () {
      const refund = { id: "R1", attempt: 1, requestedAt: fixtureNow }
      for (const isRefunding of [false, true]) {
        const charge = yield* insertCharge()
        const payment = aPayment(charge)
        const { issuer, endToEndId } = payment
        yield* commit(aChange({ ...charge, version: 7 }, { next: aPaidCharge(charge, payment), payments: [payment] }))
        const next = { _tag: "Refunding", refund, checkAt: fixtureNow } as const
        if (isRefunding) {
          yield* (yield* ExceptionStore).commit({
            issuer,
            endToEndId,
            expectedVersion: 0,
            movedAt: fixtureNow,
            next,
            returns: [],
          })
        }
        const answer = yield* commit(aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] }))
        expect(answer).toEqual({ moved: !isRefunding, freshPayments: [], foreignPayments: [] })
      }
    }))

  test("settles a charge by an unmatched payment whose failed refund has no unanswered call", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const payment = aPayment(charge)
      const { chargeId: _, ...unmatched } = payment
      const { issuer, endToEndId } = payment
      yield* recordUnmatched(unmatched)
      const failedRefund = { id: "R1", attempt: 1, requestedAt: fixtureNow, unanswered: [], rejection: "no" }
      const next = { _tag: "Open", failedRefund } as const
      const change = { issuer, endToEndId, expectedVersion: 0, movedAt: fixtureNow, next, returns: [] }
      expect(yield* (yield* ExceptionStore).commit(change)).toBe(true)
      const settling = aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] })
      expect((yield* commit(settling)).moved).toBe(true)
    }))

  test("settles a charge by an unmatched payment with a failed refund a day after the last unanswered call", () =>
    Effect.gen(function* () {
      const exceptions = yield* ExceptionStore
      const charge = yield* insertCharge()
      const calledAt = fixtureNow + 1_000
      const payment = aPayment(charge, { recordedAt: calledAt + 86_400_001 })
      const { chargeId: _, ...unmatched } = payment
      const { issuer, endToEndId } = payment
      yield* recordUnmatched(unmatched)
      const failedRefund = { id: "R1", attempt: 1, requestedAt: calledAt, unanswered: [calledAt], rejection: "no" }
      const next = { _tag: "Open", failedRefund } as const
      yield* exceptions.commit({ issuer, endToEndId, expectedVersion: 0, movedAt: fixtureNow, next, returns: [] })
      const early = { ...payment, recordedAt: calledAt + 86_400_000 }
      const commitWith = (one: typeof payment) =>
        commit(aChange(charge, { next: aPaidCharge(charge, one), payments: [one] }))
      expect((yield* commitWith(early)).moved).toBe(false)
      expect((yield* commitWith(payment)).moved).toBe(true)
    }))
}
