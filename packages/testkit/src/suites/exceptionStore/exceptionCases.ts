import { type ExceptionChange, ExceptionStore, Outbox } from "@pixcharge/core"
import {
  type ExceptionState,
  type ExceptionStatus,
  exceptionStatus,
  type Payment,
  type PaymentException,
  type PixEvent,
} from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aCancelledCharge, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { aPayment, aReturn, anEndToEndId, anUnmatchedPayment } from "../../fixtures/Payments.ts"
import { allPages, commit, insertCharge, insertPaid, openExceptions } from "../commits.ts"
import { commitException, findException, refundingState, resolved, recordUnmatched } from "../exceptions.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { isRefused, unstorableTexts } from "../unstorable.ts"

const isOpen = ({ issuer, endToEndId }: Payment) =>
  Effect.map(openExceptions(issuer), (open) => open.some(({ payment }) => payment.endToEndId === endToEndId))

export const exceptionCases = ({ test }: StoreTests): void => {
  test("further payments, payments of cancelled charges and unmatched ones are exceptions; a settling one is not", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      const further = aPayment(paid, { paidAt: fixtureNow + 10 })
      yield* commit(aChange(paid, { payments: [further] }))
      const pending = yield* insertCharge()
      const gone = aCancelledCharge(pending)
      yield* commit(aChange(pending, { next: gone }))
      const afterwards = aPayment(gone, { paidAt: fixtureNow + 20 })
      yield* commit(aChange(gone, { payments: [afterwards] }))
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

  test("an unknown payment, and another company's, is no exception", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched()
      const exceptions = yield* ExceptionStore
      expect(yield* exceptions.find(aCnpj, anEndToEndId())).toBeUndefined()
      expect(yield* exceptions.find(anotherCnpj, payment.endToEndId)).toBeUndefined()
      expect(yield* openExceptions(anotherCnpj)).toEqual([])
    }))

  test("open exceptions are listed oldest first, page by page", () =>
    Effect.gen(function* () {
      const rows = []
      for (let at = 0; at < 11; at++) rows.push(yield* recordUnmatched({ paidAt: fixtureNow + 100 - at * 3 }))
      const exceptions = yield* ExceptionStore
      const pages = yield* allPages((page) => exceptions.listOpen(aCnpj, page), 3)
      expect(pages.flat().map(({ payment }) => payment)).toEqual(rows.toReversed())
      expect(pages.every(({ length }) => length <= 3)).toBe(true)
    }))

  test("exceptions of a period are found in every state, newest first, and by state", () =>
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
      // Known to be refunded, though the return itself isn't recorded.
      const alone = yield* paidAfter(5.5)
      yield* commitException(alone, state)
      // Stale: recorded, and the exception stays open.
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
      const all = [partly, alone, keptAndBack, kept, outside, refunded, refunding, open]
      expect(ids(yield* listIds())).toEqual(all.map(({ endToEndId }) => endToEndId))
      const byStatus = {
        open: [partly, open],
        refunding: [refunding],
        returned: [alone, outside, refunded],
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

  test("a charge's exceptions are those recorded for it, and those of no charge with its txid, oldest first", () =>
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

  test("an exception moves from the version that was read, and from no other", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched()
      expect(yield* commitException(payment, resolved, { expectedVersion: 1 })).toBe(false)
      expect(yield* commitException(payment, refundingState())).toBe(true)
      expect(yield* commitException(payment, resolved)).toBe(false)
      expect(yield* findException(payment)).toEqual({
        payment,
        reason: "unmatched",
        state: refundingState(),
        version: 1,
        returns: [],
      })
      expect(yield* commitException(payment, { _tag: "Open" }, { expectedVersion: 1 })).toBe(true)
      expect((yield* findException(payment))?.version).toBe(2)
    }))

  test("of 20 moves of an exception at once, one happens", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched()
      const all = yield* Effect.all(
        Array.from({ length: 20 }, () => commitException(payment, refundingState())),
        { concurrency: "unbounded" },
      )
      expect(all.filter(Boolean)).toHaveLength(1)
      expect((yield* findException(payment))?.version).toBe(1)
    }))

  test("neither a settling nor an unknown payment has an exception to move", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      expect(yield* commitException(paid.payment, resolved)).toBe(false)
      expect(yield* commitException(anUnmatchedPayment(), resolved)).toBe(false)
    }))

  test("an exception under refund stays open; a refunded or resolved one is closed, and still known", () =>
    Effect.gen(function* () {
      const back = yield* recordUnmatched()
      yield* commitException(back, refundingState())
      expect(yield* isOpen(back)).toBe(true)
      const refunded: ExceptionState = {
        _tag: "Refunded",
        refundId: "R1",
        reason: "Pago duas vezes",
        refundedAt: fixtureNow + 9,
      }
      const row = aReturn(back, { id: "R1", kind: "refund" })
      yield* commitException(back, refunded, { expectedVersion: 1, returns: [row] })
      expect(yield* isOpen(back)).toBe(false)
      expect(yield* findException(back)).toMatchObject({ state: refunded, version: 2, returns: [row] })

      const settled = yield* recordUnmatched()
      yield* commitException(settled, resolved)
      expect(yield* isOpen(settled)).toBe(false)
      expect((yield* findException(settled))?.state).toEqual(resolved)
    }))

  test("an exception wholly returned elsewhere is closed; a partly returned one stays open", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched({ amountCents: cents(1000) })
      const part = aReturn(payment, { amountCents: cents(400), kind: "outside" })
      yield* commitException(payment, { _tag: "Open" }, { returns: [part] })
      expect(yield* isOpen(payment)).toBe(true)
      const rest = aReturn(payment, { amountCents: cents(600), kind: "dispute", returnedAt: part.returnedAt + 1 })
      yield* commitException(payment, { _tag: "Open" }, { expectedVersion: 1, returns: [rest] })
      expect(yield* isOpen(payment)).toBe(false)
      expect((yield* findException(payment))?.returns).toEqual([part, rest])
    }))

  test("a charge's commit can hold a return of its further payment, which is then closed", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      const further = aPayment(paid)
      yield* commit(aChange(paid, { payments: [further], returns: [aReturn(further)] }))
      expect(yield* isOpen(further)).toBe(false)
    }))

  test("returns are recorded even though the exception's version is stale, each once, and move the version", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched()
      const other = yield* recordUnmatched()
      const row = aReturn(payment, { amountCents: cents(5) })
      for (let time = 0; time < 2; time++) {
        expect(yield* commitException(payment, resolved, { expectedVersion: 7, returns: [row, row] })).toBe(false)
      }
      expect(yield* findException(payment)).toMatchObject({ state: { _tag: "Open" }, version: 1, returns: [row] })
      expect((yield* findException(other))?.version).toBe(0)
    }))

  test("an exception's move puts its deliveries into the outbox, once; a stale one puts none there", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched()
      const { issuer, endToEndId, amountCents } = payment
      const refund = { id: `${endToEndId}X0`, endToEndId, amountCents, reason: "sem saldo" }
      const event: PixEvent = {
        id: `evt_${refund.id}`,
        kind: "refund-failed",
        issuer,
        companyName: "Padaria Aurora Ltda",
        occurredAt: fixtureNow,
        refund,
      }
      const deliveries = [{ event, endpointId: "loja" }]
      const outbox = yield* Outbox
      const list = Effect.map(outbox.list(issuer, {}, { limit: 10 }), ({ items }) => items)
      expect(yield* commitException(payment, { _tag: "Open" }, { expectedVersion: 7, deliveries })).toBe(false)
      expect(yield* list).toEqual([])
      for (const expectedVersion of [0, 1]) {
        expect(yield* commitException(payment, { _tag: "Open" }, { expectedVersion, deliveries })).toBe(true)
      }
      expect(yield* list).toMatchObject([{ event, endpointId: "loja", status: "waiting" }])
    }))

  test("a move of an exception with an unstorable text is refused completely", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched()
      const { issuer, endToEndId } = payment
      const exceptions = yield* ExceptionStore
      const whole = { issuer, endToEndId, expectedVersion: 0, next: resolved, returns: [] }
      for (const text of unstorableTexts) {
        const part = aReturn(payment, { amountCents: cents(1) })
        const moves: ReadonlyArray<Partial<ExceptionChange>> = [
          { next: { _tag: "Resolved", note: text, resolvedAt: fixtureNow }, returns: [part] },
          { next: { _tag: "Refunded", refundId: text, refundedAt: fixtureNow } },
          { returns: [part, aReturn(payment, { id: text })] },
        ]
        for (const move of moves) yield* isRefused(exceptions.commit({ ...whole, ...move }))
      }
      expect(yield* findException(payment)).toMatchObject({ state: { _tag: "Open" }, version: 0, returns: [] })
    }))

  test("a refund keeps its unanswered calls, and an open exception its failed refund", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched()
      const refund = { id: "R1", attempt: 1, requestedAt: fixtureNow, unanswered: [fixtureNow, fixtureNow + 5] }
      const states: ReadonlyArray<ExceptionState> = [
        { _tag: "Refunding", refund, checkAt: fixtureNow + 9 },
        { _tag: "Open", failedRefund: { ...refund, reason: "Produto em falta", rejection: "sem saldo" } },
        {
          _tag: "Refunding",
          refund: { id: "R2", attempt: 2, requestedAt: fixtureNow + 10 },
          checkAt: fixtureNow + 12,
        },
        { _tag: "Open" },
      ]
      for (const [expectedVersion, state] of states.entries()) {
        expect(yield* commitException(payment, state, { expectedVersion })).toBe(true)
        expect((yield* findException(payment))?.state).toEqual(state)
      }
    }))
}
