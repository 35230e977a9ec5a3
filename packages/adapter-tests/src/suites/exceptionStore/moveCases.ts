import { type ExceptionChange, ExceptionStore, Outbox } from "@pixcharge/core"
import type { ExceptionState, Payment, PixEvent } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aPayment, aReturn, anUnmatchedPayment } from "../../fixtures/Payments.ts"
import { isRefused, type StoreTests, unstorableTexts } from "../StoreDriver.ts"
import {
  commit,
  commitException,
  findException,
  insertPaid,
  openExceptions,
  recordUnmatched,
  refundingState,
  resolved,
} from "../commits.ts"

const isOpen = ({ issuer, endToEndId }: Payment) =>
  Effect.map(openExceptions(issuer), (open) => open.some(({ payment }) => payment.endToEndId === endToEndId))

export const moveCases = ({ test }: StoreTests): void => {
  test("moves an exception only from the version that was read", () =>
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

  test("makes one of 20 concurrent moves of an exception", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched()
      const all = yield* Effect.all(
        Array.from({ length: 20 }, () => commitException(payment, refundingState())),
        { concurrency: "unbounded" },
      )
      expect(all.filter(Boolean)).toHaveLength(1)
      expect((yield* findException(payment))?.version).toBe(1)
    }))

  test("doesn't move an exception for a settling or an unknown payment", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      expect(yield* commitException(paid.payment, resolved)).toBe(false)
      expect(yield* commitException(anUnmatchedPayment(), resolved)).toBe(false)
    }))

  test("lists an exception under refund as open, and still finds a refunded or resolved exception", () =>
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

  test("closes an exception whose payment was wholly returned, but not a partly returned exception", () =>
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

  test("closes a further payment by its return in the charge's commit", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      const further = aPayment(paid)
      yield* commit(aChange(paid, { payments: [further], returns: [aReturn(further)] }))
      expect(yield* isOpen(further)).toBe(false)
    }))

  test("records returns despite the exception's stale version, each once, and raises the version", () =>
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

  test("adds the deliveries of an exception's move to the outbox once, and no deliveries of a stale move", () =>
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

  test("writes nothing of an exception's move with an unstorable string", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched()
      const { issuer, endToEndId } = payment
      const exceptions = yield* ExceptionStore
      const whole = { issuer, endToEndId, expectedVersion: 0, movedAt: fixtureNow, next: resolved, returns: [] }
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

  test("keeps the unanswered calls of a refund, and the failed refund of an open exception", () =>
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
