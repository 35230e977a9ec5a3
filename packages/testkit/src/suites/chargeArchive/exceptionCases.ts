import {
  ChargeArchive,
  ChargeStore,
  type ClaimRequest,
  type ExceptionChange,
  type ExceptionState,
  type PaymentException,
} from "@pixcharge/core"
import type { Payment } from "@pixcharge/core/charge"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aCancelledCharge, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { aPayment, aReturn, anEndToEndId, anUnmatchedPayment } from "../../fixtures/Payments.ts"
import { aChange, allPages, commit, inserted, insertedAndPaid, openExceptions } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { isRefused, unstorableTexts } from "../unstorable.ts"

const refundingState = (checkAt = fixtureNow + 2_000): ExceptionState => ({
  _tag: "Refunding",
  refund: { id: "R1", attempt: 1, requestedAt: fixtureNow },
  checkAt,
})

const leaseMs = 90_000
const now = fixtureNow + 1_000_000

const claimRefunds = (request: Partial<ClaimRequest> = {}) =>
  Effect.flatMap(ChargeArchive, (archive) => archive.claimExceptionRefunds({ now, limit: 100, leaseMs, ...request }))

const paymentsOf = (exceptions: ReadonlyArray<PaymentException>) => exceptions.map(({ payment }) => payment)

const resolved: ExceptionState = { _tag: "Resolved", note: 'pedido "12" \\ 🦜', resolvedAt: fixtureNow }

const change = (
  { issuer, endToEndId }: Payment,
  next: ExceptionState,
  { expectedVersion = 0, returns = [] }: Partial<ExceptionChange> = {},
) =>
  Effect.flatMap(ChargeArchive, (archive) =>
    archive.commitException({ issuer, endToEndId, expectedVersion, next, returns }),
  )

const exceptionOf = ({ issuer, endToEndId }: Payment) =>
  Effect.flatMap(ChargeArchive, (archive) => archive.exception(issuer, endToEndId))

const unmatched = Effect.fnUntraced(function* (overrides: Partial<Payment> = {}) {
  const payment = anUnmatchedPayment(overrides)
  yield* (yield* ChargeStore).recordUnmatched(payment)
  return payment
})

const isOpen = ({ issuer, endToEndId }: Payment) =>
  Effect.map(openExceptions(issuer), (open) => open.some(({ payment }) => payment.endToEndId === endToEndId))

export const exceptionCases = ({ test }: StoreTests): void => {
  test("further payments, payments of cancelled charges and unmatched ones are exceptions; a settling one is none", () =>
    Effect.gen(function* () {
      const paid = yield* insertedAndPaid()
      const further = aPayment(paid, { paidAt: fixtureNow + 10 })
      yield* commit(aChange(paid, { payments: [further] }))
      const pending = yield* inserted()
      const gone = aCancelledCharge(pending)
      yield* commit(aChange(pending, { next: gone }))
      const afterwards = aPayment(gone, { paidAt: fixtureNow + 20 })
      yield* commit(aChange(gone, { payments: [afterwards] }))
      const stranger = yield* unmatched({ paidAt: fixtureNow + 5 })
      const open = { state: { _tag: "Open" }, version: 0, returns: [] }
      expect(yield* openExceptions(aCnpj)).toEqual([
        { payment: stranger, reason: "unmatched", ...open },
        { payment: further, reason: "furtherPayment", ...open },
        { payment: afterwards, reason: "cancelledCharge", ...open },
      ])
      expect(yield* exceptionOf(paid.payment)).toBeUndefined()
      expect(yield* exceptionOf(further)).toEqual({ payment: further, reason: "furtherPayment", ...open })
    }))

  test("an unknown payment, and another company's, is no exception", () =>
    Effect.gen(function* () {
      const payment = yield* unmatched()
      const archive = yield* ChargeArchive
      expect(yield* archive.exception(aCnpj, anEndToEndId())).toBeUndefined()
      expect(yield* archive.exception(anotherCnpj, payment.endToEndId)).toBeUndefined()
      expect(yield* openExceptions(anotherCnpj)).toEqual([])
    }))

  test("open exceptions are listed oldest first, page by page", () =>
    Effect.gen(function* () {
      const rows = []
      for (let at = 0; at < 11; at++) rows.push(yield* unmatched({ paidAt: fixtureNow + 100 - at * 3 }))
      const archive = yield* ChargeArchive
      const pages = yield* allPages((page) => archive.openExceptions(aCnpj, page), 3)
      expect(pages.flat().map(({ payment }) => payment)).toEqual(rows.toReversed())
      expect(pages.every(({ length }) => length <= 3)).toBe(true)
    }))

  test("an exception moves from the version that was read, and from no other", () =>
    Effect.gen(function* () {
      const payment = yield* unmatched()
      expect(yield* change(payment, resolved, { expectedVersion: 1 })).toBe(false)
      expect(yield* change(payment, refundingState())).toBe(true)
      expect(yield* change(payment, resolved)).toBe(false)
      expect(yield* exceptionOf(payment)).toEqual({
        payment,
        reason: "unmatched",
        state: refundingState(),
        version: 1,
        returns: [],
      })
      expect(yield* change(payment, { _tag: "Open" }, { expectedVersion: 1 })).toBe(true)
      expect((yield* exceptionOf(payment))?.version).toBe(2)
    }))

  test("of 20 moves of an exception at once, one happens", () =>
    Effect.gen(function* () {
      const payment = yield* unmatched()
      const all = yield* Effect.all(
        Array.from({ length: 20 }, () => change(payment, refundingState())),
        { concurrency: "unbounded" },
      )
      expect(all.filter(Boolean)).toHaveLength(1)
      expect((yield* exceptionOf(payment))?.version).toBe(1)
    }))

  test("neither a settling nor an unknown payment has an exception to move", () =>
    Effect.gen(function* () {
      const paid = yield* insertedAndPaid()
      expect(yield* change(paid.payment, resolved)).toBe(false)
      expect(yield* change(anUnmatchedPayment(), resolved)).toBe(false)
    }))

  test("an exception under refund stays at the desk; refunded or resolved it leaves it, and is still known", () =>
    Effect.gen(function* () {
      const back = yield* unmatched()
      yield* change(back, refundingState())
      expect(yield* isOpen(back)).toBe(true)
      const refunded: ExceptionState = { _tag: "Refunded", refundId: "R1", refundedAt: fixtureNow + 9 }
      const row = aReturn(back, { id: "R1", kind: "refund" })
      yield* change(back, refunded, { expectedVersion: 1, returns: [row] })
      expect(yield* isOpen(back)).toBe(false)
      expect(yield* exceptionOf(back)).toMatchObject({ state: refunded, version: 2, returns: [row] })

      const settled = yield* unmatched()
      yield* change(settled, resolved)
      expect(yield* isOpen(settled)).toBe(false)
      expect((yield* exceptionOf(settled))?.state).toEqual(resolved)
    }))

  test("an exception that was wholly returned elsewhere leaves the desk; a partly returned one stays", () =>
    Effect.gen(function* () {
      const payment = yield* unmatched({ amountCents: cents(1000) })
      const part = aReturn(payment, { amountCents: cents(400), kind: "outside" })
      yield* change(payment, { _tag: "Open" }, { returns: [part] })
      expect(yield* isOpen(payment)).toBe(true)
      const rest = aReturn(payment, { amountCents: cents(600), kind: "dispute", returnedAt: part.returnedAt + 1 })
      yield* change(payment, { _tag: "Open" }, { expectedVersion: 1, returns: [rest] })
      expect(yield* isOpen(payment)).toBe(false)
      expect((yield* exceptionOf(payment))?.returns).toEqual([part, rest])
    }))

  test("a charge's commit can tell of a return of its further payment, which leaves the desk", () =>
    Effect.gen(function* () {
      const paid = yield* insertedAndPaid()
      const further = aPayment(paid)
      yield* commit(aChange(paid, { payments: [further], returns: [aReturn(further)] }))
      expect(yield* isOpen(further)).toBe(false)
    }))

  test("returns are recorded even though the exception's version is stale, each once, and move the version", () =>
    Effect.gen(function* () {
      const payment = yield* unmatched()
      const row = aReturn(payment, { amountCents: cents(5) })
      for (let time = 0; time < 2; time++) {
        expect(yield* change(payment, resolved, { expectedVersion: 7, returns: [row, row] })).toBe(false)
      }
      expect(yield* exceptionOf(payment)).toMatchObject({ state: { _tag: "Open" }, version: 1, returns: [row] })
    }))

  test("refunds whose check has come are taken across companies, the oldest first, each by one claim", () =>
    Effect.gen(function* () {
      const late = yield* unmatched()
      const early = yield* unmatched({ issuer: anotherCnpj })
      const young = yield* unmatched()
      yield* change(late, refundingState(now))
      yield* change(early, refundingState(now - 1))
      yield* change(young, refundingState(now + 1))
      yield* change(yield* unmatched(), resolved)
      yield* unmatched()
      const [taken] = yield* claimRefunds({ limit: 1 })
      expect(taken).toEqual({
        payment: early,
        reason: "unmatched",
        state: refundingState(now + leaseMs),
        version: 1,
        returns: [],
      })
      expect(yield* exceptionOf(early)).toEqual(taken)
      expect(paymentsOf(yield* claimRefunds())).toEqual([late])
      expect(yield* claimRefunds()).toEqual([])
    }))

  test("a refund whose check a clock far ahead has set is taken, after those that are due", () =>
    Effect.gen(function* () {
      const day = 86_400_000
      const [due, soon, ahead] = [yield* unmatched(), yield* unmatched(), yield* unmatched()]
      yield* change(due, refundingState(now))
      yield* change(soon, refundingState(now + day))
      yield* change(ahead, refundingState(now + 40 * day))
      expect(paymentsOf(yield* claimRefunds({ limit: 1 }))).toEqual([due])
      const [taken] = yield* claimRefunds()
      expect([taken?.payment, taken?.state]).toEqual([ahead, refundingState(now + leaseMs)])
      expect(yield* claimRefunds()).toEqual([])
    }))

  test("a taken refund comes again when its lease ends, or when it is set to; not once it has moved on", () =>
    Effect.gen(function* () {
      const archive = yield* ChargeArchive
      const payment = yield* unmatched()
      yield* change(payment, refundingState(now))
      const [taken] = yield* claimRefunds()
      if (taken === undefined) return yield* Effect.die(new Error("it was due"))
      expect(yield* claimRefunds({ now: now + leaseMs - 1 })).toEqual([])
      expect(paymentsOf(yield* claimRefunds({ now: now + leaseMs }))).toEqual([payment])
      yield* archive.scheduleExceptionRefund(taken, now + 7)
      expect((yield* exceptionOf(payment))?.state).toEqual(refundingState(now + 7))
      yield* archive.scheduleExceptionRefund({ ...taken, version: taken.version - 1 }, now)
      yield* archive.scheduleExceptionRefund({ ...taken, payment: { ...payment, issuer: anotherCnpj } }, now)
      expect(yield* claimRefunds({ now: now + 6 })).toEqual([])
      expect(paymentsOf(yield* claimRefunds({ now: now + 7 }))).toEqual([payment])
      yield* change(payment, { _tag: "Open" }, { expectedVersion: 1 })
      yield* archive.scheduleExceptionRefund({ ...taken, version: 2 }, now)
      expect((yield* exceptionOf(payment))?.state).toEqual({ _tag: "Open" })
      expect(yield* claimRefunds({ now: now + 10 * leaseMs })).toEqual([])
    }))

  test("of many processes at once, each refund goes to one", () =>
    Effect.gen(function* () {
      const made = []
      for (let at = 0; at < 30; at++) {
        const payment = yield* unmatched()
        yield* change(payment, refundingState(now - at))
        made.push(payment)
      }
      const taken = yield* Effect.all(
        Array.from({ length: 8 }, () => claimRefunds({ limit: 7 })),
        { concurrency: "unbounded" },
      )
      const all = [...paymentsOf(taken.flat()), ...paymentsOf(yield* claimRefunds())]
      const ids = all.map(({ endToEndId }) => endToEndId)
      expect(ids.toSorted()).toEqual(made.map(({ endToEndId }) => endToEndId).toSorted())
    }))

  test("a move of an exception of which a text can't be stored is refused as a whole", () =>
    Effect.gen(function* () {
      const payment = yield* unmatched()
      const { issuer, endToEndId } = payment
      const archive = yield* ChargeArchive
      const whole = { issuer, endToEndId, expectedVersion: 0, next: resolved, returns: [] }
      for (const text of unstorableTexts) {
        const part = aReturn(payment, { amountCents: cents(1) })
        const moves: ReadonlyArray<Partial<ExceptionChange>> = [
          { next: { _tag: "Resolved", note: text, resolvedAt: fixtureNow }, returns: [part] },
          { next: { _tag: "Refunded", refundId: text, refundedAt: fixtureNow } },
          { returns: [part, aReturn(payment, { id: text })] },
        ]
        for (const move of moves) yield* isRefused(archive.commitException({ ...whole, ...move }))
      }
      expect(yield* exceptionOf(payment)).toMatchObject({ state: { _tag: "Open" }, version: 0, returns: [] })
    }))

  test("a refund keeps its calls without an answer, and an open exception the refund that failed", () =>
    Effect.gen(function* () {
      const payment = yield* unmatched()
      const refund = { id: "R1", attempt: 1, requestedAt: fixtureNow, unanswered: [fixtureNow, fixtureNow + 5] }
      const states: ReadonlyArray<ExceptionState> = [
        { _tag: "Refunding", refund, checkAt: fixtureNow + 9 },
        { _tag: "Open", failedRefund: { ...refund, reason: "sem saldo" } },
        {
          _tag: "Refunding",
          refund: { id: "R2", attempt: 2, requestedAt: fixtureNow + 10 },
          checkAt: fixtureNow + 12,
        },
        { _tag: "Open" },
      ]
      for (const [expectedVersion, state] of states.entries()) {
        expect(yield* change(payment, state, { expectedVersion })).toBe(true)
        expect((yield* exceptionOf(payment))?.state).toEqual(state)
      }
    }))

  test("one payment is found by its endToEndId, matched or not, and by its own company alone", () =>
    Effect.gen(function* () {
      const archive = yield* ChargeArchive
      const charge = yield* insertedAndPaid()
      const stranger = yield* unmatched()
      for (const payment of [charge.payment, stranger]) {
        expect(yield* archive.payment(aCnpj, payment.endToEndId)).toEqual(payment)
        expect(yield* archive.payment(anotherCnpj, payment.endToEndId)).toBeUndefined()
      }
      expect(yield* archive.payment(aCnpj, anEndToEndId())).toBeUndefined()
    }))
}
