import { ExceptionStore } from "@pixcharge/core"
import { type ExceptionStatus, exceptionStatus, type PaymentException } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { aCancelledCharge, aChange, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { anEndToEndId, aPayment, aReturn } from "../../fixtures/Payments.ts"
import { type StoreHooks, storeTests, type StoreTests, type TestedPorts } from "../StoreDriver.ts"
import {
  allPages,
  commit,
  commitException,
  findException,
  insertCharge,
  insertPaid,
  openExceptions,
  recordUnmatched,
  refundingState,
  resolved,
} from "../commits.ts"
import { moveCases } from "./moveCases.ts"

/** Tests of a store's `ExceptionStore`. */
export const exceptionStoreSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: ExceptionStore`, () => {
    const tests = storeTests(layer, hooks)
    exceptionCases(tests)
    moveCases(tests)
  })
}

export const exceptionCases = ({ test }: StoreTests): void => {
  test("shows further payments, payments of cancelled charges and unmatched payments as exceptions, but no settling payment", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      const further = aPayment(paid, { paidAt: fixtureNow + 10 })
      yield* commit(aChange(paid, { payments: [further] }))
      const pending = yield* insertCharge()
      const cancelled = aCancelledCharge(pending)
      yield* commit(aChange(pending, { next: cancelled }))
      const afterwards = aPayment(cancelled, { paidAt: fixtureNow + 20 })
      yield* commit(aChange(cancelled, { payments: [afterwards] }))
      const stranger = yield* recordUnmatched({ paidAt: fixtureNow + 5 })
      const open = { state: { _tag: "Open" }, version: 0, returns: [] }
      expect(yield* openExceptions(aCnpj)).toEqual([
        { payment: stranger, reason: "unmatched", ...open },
        { payment: further, reason: "furtherPayment", ...open },
        { payment: afterwards, reason: "cancelledCharge", ...open },
      ])
      expect(yield* findException(paid.payment)).toBeUndefined()
      expect(yield* findException(further)).toEqual({ payment: further, reason: "furtherPayment", ...open })
    }))

  test("finds no exception for an unknown payment or another company's payment", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched()
      const exceptions = yield* ExceptionStore
      expect(yield* exceptions.find(aCnpj, anEndToEndId())).toBeUndefined()
      expect(yield* exceptions.find(anotherCnpj, payment.endToEndId)).toBeUndefined()
      expect(yield* openExceptions(anotherCnpj)).toEqual([])
    }))

  test("lists open exceptions oldest first, page by page", () =>
    Effect.gen(function* () {
      const rows = []
      for (let index = 0; index < 11; index++)
        rows.push(yield* recordUnmatched({ paidAt: fixtureNow + 100 - index * 3 }))
      const exceptions = yield* ExceptionStore
      const pages = yield* allPages((page) => exceptions.listOpen(aCnpj, page), 3)
      expect(pages.flat().map(({ payment }) => payment)).toEqual(rows.toReversed())
      expect(pages.every(({ length }) => length <= 3)).toBe(true)
    }))

  test("lists the exceptions of a period, newest first, in every state or in one state", () =>
    Effect.gen(function* () {
      const exceptions = yield* ExceptionStore
      const paidAfter = (minutes: number) => recordUnmatched({ paidAt: fixtureNow + minutes * 60_000 })
      const [early, open, refunding, refunded, outside, kept, keptAndBack, partly, late] = [
        yield* paidAfter(-1),
        yield* paidAfter(0),
        yield* paidAfter(1),
        yield* paidAfter(2),
        yield* paidAfter(3),
        yield* paidAfter(4),
        yield* paidAfter(5),
        yield* paidAfter(6),
        yield* paidAfter(7),
      ]
      yield* commitException(refunding, refundingState())
      const back = aReturn(refunded, { kind: "refund", id: "R1" })
      const state = {
        _tag: "Refunded",
        refundId: "R1",
        reason: "Pago duas vezes",
        refundedAt: back.returnedAt,
      } as const
      yield* commitException(refunded, state, { returns: [back] })
      // This exception is refunded, although its return isn't recorded.
      const withoutReturn = yield* paidAfter(5.5)
      yield* commitException(withoutReturn, state)
      // This change is stale: its return is recorded, and the exception stays open.
      yield* commitException(outside, resolved, { expectedVersion: 9, returns: [aReturn(outside)] })
      yield* commitException(kept, resolved)
      yield* commitException(keptAndBack, resolved, { returns: [aReturn(keptAndBack)] })
      yield* commitException(partly, { _tag: "Open" }, { returns: [aReturn(partly, { amountCents: cents(1) })] })
      yield* recordUnmatched({ issuer: anotherCnpj, paidAt: fixtureNow + 60_000 })
      yield* insertPaid()
      const period = { from: fixtureNow, until: late.paidAt }
      const listIds = (status?: ExceptionStatus, of = period, issuer = aCnpj) =>
        Effect.map(
          allPages((page) => exceptions.search(issuer, { ...of, ...(status && { status }) }, page), 2),
          (pages) => pages.flat(),
        )
      const ids = (rows: ReadonlyArray<PaymentException>) => rows.map(({ payment }) => payment.endToEndId)
      const all = [partly, withoutReturn, keptAndBack, kept, outside, refunded, refunding, open]
      expect(ids(yield* listIds())).toEqual(all.map(({ endToEndId }) => endToEndId))
      const byStatus = {
        open: [partly, open],
        refunding: [refunding],
        returned: [withoutReturn, outside, refunded],
        resolved: [keptAndBack, kept],
      }
      for (const status of ["open", "refunding", "returned", "resolved"] as const) {
        const rows = yield* listIds(status)
        expect(ids(rows), status).toEqual(byStatus[status].map(({ endToEndId }) => endToEndId))
        expect(rows.map(exceptionStatus)).toEqual(rows.map(() => status))
        for (const row of rows) expect(row).toEqual(yield* findException(row.payment))
      }
      expect(yield* listIds(undefined, { from: fixtureNow, until: fixtureNow })).toEqual([])
      expect(ids(yield* listIds(undefined, { from: early.paidAt, until: open.paidAt }))).toEqual([early.endToEndId])
      expect(yield* listIds("open", period, anotherCnpj)).toHaveLength(1)
    }))

  test("finds the exceptions recorded for a charge and the unmatched payments with its txid, oldest first", () =>
    Effect.gen(function* () {
      const exceptions = yield* ExceptionStore
      const paid = yield* insertPaid()
      const further = aPayment(paid, { paidAt: fixtureNow + 20 })
      const unnamed = aPayment(paid, { paidAt: fixtureNow + 10 })
      yield* commit(aChange(paid, { payments: [further, unnamed] }))
      const stray = yield* recordUnmatched({ txid: paid.txid, paidAt: fixtureNow + 15 })
      yield* recordUnmatched({ txid: (yield* insertCharge()).txid })
      yield* recordUnmatched()
      yield* recordUnmatched({ txid: paid.txid, issuer: anotherCnpj })
      yield* commitException(further, resolved)
      const listOfCharge = (limit: number) => exceptions.ofCharge(paid, limit)
      expect((yield* listOfCharge(10)).map(({ payment }) => payment)).toEqual([unnamed, stray, further])
      expect((yield* listOfCharge(10)).map(({ state }) => state._tag)).toEqual(["Open", "Open", "Resolved"])
      expect((yield* listOfCharge(2)).map(({ payment }) => payment)).toEqual([unnamed, stray])
      expect(yield* exceptions.ofCharge(yield* insertPaid(), 10)).toEqual([])
    }))
}
