import { ChargeLists, Outbox } from "@pixcharge/core"
import { type Charge, chargeEvent, type Payment, type Return } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import {
  aChange,
  aCancelledCharge,
  aFailedRefund,
  aPaidCharge,
  aRefundedCharge,
  aRefundingCharge,
  cents,
} from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { aPayment, aReturn } from "../../fixtures/Payments.ts"
import { commit, find, insertCharge, insertPaid, paidEventId, requestRefund } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const waiting = Effect.flatMap(Outbox, (outbox) => outbox.depth).pipe(Effect.map(({ waiting: count }) => count))

export const commitCases = ({ test }: StoreTests): void => {
  test("moves a charge from the version that was read, with its payment, in one write", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const payment = aPayment(charge)
      const next = aPaidCharge(charge, payment)
      expect(yield* commit(aChange(charge, { next, payments: [payment] }))).toEqual({
        moved: true,
        freshPayments: [payment.endToEndId],
        foreignPayments: [],
      })
      expect(yield* find(charge)).toEqual(next)
    }))

  test("refuses a move from an older version", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const cancelled = aCancelledCharge(charge)
      yield* commit(aChange(charge, { next: cancelled }))
      const payment = aPayment(charge)
      const late = aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] })
      expect(yield* commit(late)).toEqual({
        moved: false,
        freshPayments: [payment.endToEndId],
        foreignPayments: [],
      })
      expect(yield* find(charge)).toEqual(cancelled)
    }))

  test("skips a payment that is bound to the version read, if the charge has moved since", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const [payment, late] = [aPayment(charge), aPayment(charge)]
      const paying = (by: Payment, returns: ReadonlyArray<Return> = []) =>
        commit(aChange(charge, { next: aPaidCharge(charge, by), payments: [by], returns, onlyAtVersion: true }))
      expect(yield* paying(payment)).toMatchObject({ moved: true, freshPayments: [payment.endToEndId] })
      const returned = aReturn(late)
      expect(yield* paying(late, [returned])).toEqual({
        moved: false,
        freshPayments: [],
        foreignPayments: [late.endToEndId],
      })
      const lists = yield* ChargeLists
      expect(yield* lists.payment(aCnpj, late.endToEndId)).toBeUndefined()
      expect(yield* lists.returnsOf(aCnpj, [late.endToEndId])).toEqual([])
    }))

  test("refuses moves from an older and a future version, even in the same state", () =>
    Effect.gen(function* () {
      const first = yield* insertPaid()
      const again = aFailedRefund(yield* requestRefund(first), "conta encerrada")
      yield* commit(aChange({ ...again, version: again.version - 1 }, { next: again }))
      for (const version of [first.version, again.version + 1]) {
        const stale = aChange({ ...again, version }, { next: aRefundingCharge(again) })
        expect((yield* commit(stale)).moved).toBe(false)
      }
      expect(yield* find(first)).toEqual(again)
    }))

  test("makes one of two different moves from the same version", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const payment = aPayment(charge)
      const moves = [aPaidCharge(charge, payment), aCancelledCharge(charge)] as const
      const [pay, cancel] = yield* Effect.all(
        [commit(aChange(charge, { next: moves[0], payments: [payment] })), commit(aChange(charge, { next: moves[1] }))],
        { concurrency: "unbounded" },
      )
      expect([pay.moved, cancel.moved].toSorted()).toEqual([false, true])
      expect(yield* find(charge)).toEqual(moves[pay.moved ? 0 : 1])
    }))

  test("makes one of 30 equal concurrent moves", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      const next = aRefundingCharge(paid)
      const all = yield* Effect.all(
        Array.from({ length: 30 }, () => commit(aChange(paid, { next }))),
        {
          concurrency: "unbounded",
        },
      )
      expect(all.filter(({ moved }) => moved)).toHaveLength(1)
      expect(yield* find(paid)).toEqual(next)
    }))

  test("moves a charge through all its states, with one refused refund", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({ amountCents: cents(999_999_999_999) })
      const refunding = aRefundingCharge(paid)
      const refused = aFailedRefund(refunding, 'saldo "insuficiente" \\ 🦜')
      const refundingAgain = aRefundingCharge(refused)
      const refundedCharge = aRefundedCharge(refundingAgain)
      let read: Parameters<typeof aChange>[0] = paid
      for (const next of [refunding, refused, refundingAgain, refundedCharge]) {
        const returns = next._tag === "Refunded" ? next.returns : []
        expect((yield* commit(aChange(read, { next, returns }))).moved).toBe(true)
        expect(yield* find(next)).toEqual(next)
        read = next
      }
    }))

  test("moves many charges concurrently and independently", () =>
    Effect.gen(function* () {
      const charges = yield* Effect.all(
        Array.from({ length: 120 }, (_, index) => insertCharge({ issuer: index % 2 === 0 ? aCnpj : anotherCnpj })),
        { concurrency: "unbounded" },
      )
      const moves = charges.map((charge) => aPaidCharge(charge))
      const answers = yield* Effect.all(
        moves.map((next) =>
          commit(aChange({ ...next, version: next.version - 1 }, { next, payments: [next.payment] })),
        ),
        { concurrency: "unbounded" },
      )
      expect(answers).toEqual(
        moves.map(({ payment }) => ({ moved: true, freshPayments: [payment.endToEndId], foreignPayments: [] })),
      )
      expect(yield* Effect.all(charges.map(find), { concurrency: "unbounded" })).toEqual(moves)
    }))

  test("refuses to move another company's charge", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const theirs = { ...charge, issuer: anotherCnpj }
      expect((yield* commit(aChange(theirs, { next: aCancelledCharge(theirs) }))).moved).toBe(false)
      expect(yield* find(charge)).toEqual(charge)
      expect(yield* find(theirs)).toBeUndefined()
    }))

  test("adds deliveries to the outbox with the move", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid({}, ["loja", "parceiro"])
      const { items } = yield* (yield* Outbox).list(charge.issuer, { chargeId: charge.id }, { limit: 10 })
      expect(items.map(({ endpointId, status, event }) => [endpointId, status, event.id]).toSorted()).toEqual([
        ["loja", "waiting", paidEventId(charge)],
        ["parceiro", "waiting", paidEventId(charge)],
      ])
      expect(items[0]?.event).toEqual(chargeEvent(charge, "Padaria Aurora Ltda"))
    }))

  test("adds no delivery without a move", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const next = aPaidCharge(charge)
      const stale = { ...charge, version: charge.version + 1 }
      const deliveries = [{ event: chargeEvent(next, "Padaria"), endpointId: "loja" }]
      yield* commit(aChange(stale, { next, payments: [next.payment], deliveries }))
      expect(yield* waiting).toBe(0)
    }))

  test("supersedes a waiting `paid` event by the move that begins the refund", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid({}, ["loja"])
      const other = yield* insertPaid({}, ["loja"])
      yield* requestRefund(charge)
      const { items } = yield* (yield* Outbox).list(charge.issuer, { status: "superseded" }, { limit: 10 })
      expect(items.map(({ event }) => event.id)).toEqual([paidEventId(charge)])
      expect(yield* waiting).toBe(1)
      expect((yield* (yield* Outbox).list(other.issuer, { chargeId: other.id }, { limit: 1 })).items[0]?.status).toBe(
        "waiting",
      )
    }))

  test("restores a superseded `paid` event after the refund failed", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid({}, ["loja"])
      const refunding = yield* requestRefund(charge)
      const failed = aFailedRefund(refunding, "conta encerrada")
      yield* commit(aChange(refunding, { next: failed, unsent: "restore" }))
      const { queues } = yield* (yield* Outbox).claim({
        now: failed.updatedAt,
        limit: 10,
        deliveries: 10,
        leaseMs: 30_000,
      })
      expect(queues[0]?.due.map(({ event, attempt }) => [event.id, attempt])).toEqual([[paidEventId(charge), 1]])
    }))

  test("doesn't supersede or restore events in a stale commit", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid({}, ["loja"])
      const stale = { ...charge, version: charge.version - 1 }
      yield* commit(aChange(stale, { next: aRefundingCharge(charge), unsent: "supersede" }))
      expect(yield* waiting).toBe(1)
    }))

  test("leaves the charge unchanged if a commit has a payment and a return but no move", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const further = aPayment(charge)
      const returned = aReturn(further)
      expect(yield* commit(aChange(charge, { payments: [further], returns: [returned] }))).toEqual({
        moved: false,
        freshPayments: [further.endToEndId],
        foreignPayments: [],
      })
      expect(yield* find(charge)).toEqual(charge)
    }))

  test("keeps the unanswered calls of a requested or failed refund until they end", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      const refunding = aRefundingCharge(paid)
      const calls = [refunding.refund.requestedAt, refunding.refund.requestedAt + 1]
      const called = { ...refunding, refund: { ...refunding.refund, unanswered: calls } }
      const failed = aFailedRefund(called, "sem saldo")
      const again = aRefundingCharge(failed)
      let before: Charge = paid
      for (const next of [called, failed, again]) {
        expect((yield* commit(aChange(before, { next }))).moved).toBe(true)
        expect(yield* find(paid)).toEqual(next)
        before = next
      }
    }))
}
