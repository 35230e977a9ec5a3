import { ChargeStore, ExceptionStore, Outbox } from "@pixcharge/core"
import {
  chargeEvent,
  type PaidCharge,
  type Payment,
  type PendingCharge,
  type RefundedCharge,
  type Return,
} from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aPaidCharge, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aPayment, aReturn } from "../../fixtures/Payments.ts"
import { commit, find, insertCharge, insertPaid } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const aReturnedCharge = (
  charge: PendingCharge,
  payment: Payment,
  ...returns: ReadonlyArray<Return>
): RefundedCharge => ({
  ...aPaidCharge(charge, payment),
  _tag: "Refunded",
  returns,
  refundedAt: returns.at(-1)?.returnedAt ?? payment.paidAt,
})

/** The charge after a second, returned payment replaced the settling payment. */
const replacedBy = (charge: PaidCharge, payment: Payment, returned: Return): RefundedCharge => ({
  ...charge,
  _tag: "Refunded",
  payment,
  returns: [returned],
  refundedAt: returned.returnedAt,
})

const splitPayment = (payment: Payment) =>
  [1, 2].map((at) => aReturn(payment, { id: `D${at}`, amountCents: cents(995), returnedAt: payment.paidAt + at }))

/** Records a payment before its charge is known. */
const unmatchedFor = Effect.fnUntraced(function* (charge: PendingCharge) {
  const payment = aPayment(charge)
  const { chargeId: _, ...unmatched } = payment
  yield* (yield* ChargeStore).recordUnmatched(unmatched)
  return payment
})

/** Records the whole return of an exception, which closes it. */
const closedBy = Effect.fnUntraced(function* (returned: Return, expectedVersion = 0) {
  const { issuer, endToEndId, id: refundId, returnedAt: refundedAt } = returned
  const next = { _tag: "Refunded" as const, refundId, refundedAt }
  return yield* (yield* ExceptionStore).commit({
    issuer,
    endToEndId,
    expectedVersion,
    movedAt: fixtureNow,
    next,
    returns: [returned],
  })
})

const findException = ({ issuer, endToEndId }: Payment) =>
  Effect.flatMap(ExceptionStore, (exceptions) => exceptions.find(issuer, endToEndId))

export const returnedPaymentCases = ({ test }: StoreTests): void => {
  test("settles a charge by a payment with its returns and their event in one write", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const payment = aPayment(charge)
      const returns = splitPayment(payment)
      const next = aReturnedCharge(charge, payment, ...returns)
      const deliveries = [{ event: chargeEvent(next, "Padaria Aurora Ltda"), endpointId: "loja" }]
      expect(yield* commit(aChange(charge, { next, payments: [payment], returns, deliveries }))).toEqual({
        moved: true,
        freshPayments: [payment.endToEndId],
        foreignPayments: [],
      })
      expect(yield* find(charge)).toEqual(next)
      expect(yield* findException(payment)).toBeUndefined()
      const { items } = yield* (yield* Outbox).list(charge.issuer, { chargeId: charge.id }, { limit: 10 })
      expect(items.map(({ event, status }) => [event.kind, status])).toEqual([["refunded", "waiting"]])
    }))

  test("replaces the payment that settled a charge, which becomes an exception", () =>
    Effect.gen(function* () {
      for (const isKnown of [true, false]) {
        const charge = yield* insertPaid()
        const { payment: first } = charge
        const payment = aPayment(charge)
        if (isKnown) yield* commit(aChange(charge, { payments: [payment] }))
        const returned = aReturn(payment)
        const next = replacedBy(charge, payment, returned)
        const replacing = { next, payments: [payment], returns: [returned] }
        const stale = yield* commit(aChange({ ...charge, version: 7 }, replacing))
        expect(stale.moved).toBe(false)
        expect(yield* findException(first)).toBeUndefined()
        const { version = 0 } = (yield* find(charge)) ?? {}
        const again = { ...replacing, next: { ...next, version: version + 1 } }
        expect((yield* commit(aChange({ ...charge, version }, again))).moved).toBe(true)
        expect(yield* find(charge)).toEqual(again.next)
        expect(yield* findException(payment)).toBeUndefined()
        expect(yield* findException(first)).toMatchObject({
          reason: "furtherPayment",
          state: { _tag: "Open" },
          returns: [],
        })
        const standings = yield* (yield* ChargeStore).standings([first, payment])
        const exceptions = standings.map(({ endToEndId, exception }) => [endToEndId, exception])
        expect(Object.fromEntries(exceptions)).toEqual({ [first.endToEndId]: "Open", [payment.endToEndId]: undefined })
      }
    }))

  test("keeps the settling payment when a further payment is under refund as an exception", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const { payment: first } = charge
      const payment = aPayment(charge)
      yield* commit(aChange(charge, { payments: [payment] }))
      const { version = 0 } = (yield* find(charge)) ?? {}
      const exception = yield* findException(payment)
      const refund = { id: `${payment.endToEndId}X0`, attempt: 1, requestedAt: fixtureNow }
      yield* (yield* ExceptionStore).commit({
        issuer: charge.issuer,
        endToEndId: payment.endToEndId,
        expectedVersion: exception?.version ?? 0,
        movedAt: fixtureNow,
        next: { _tag: "Refunding", refund, checkAt: fixtureNow },
        returns: [],
      })
      const returned = aReturn(payment)
      const next = { ...replacedBy(charge, payment, returned), version: version + 1 }
      const change = aChange({ ...charge, version }, { next, payments: [payment], returns: [returned] })
      expect((yield* commit(change)).moved).toBe(false)
      expect(yield* find(charge)).toMatchObject({ _tag: "Paid", payment: { endToEndId: first.endToEndId } })
      expect(yield* findException(first)).toBeUndefined()
      expect(yield* findException(payment)).toMatchObject({ state: { _tag: "Refunding" }, returns: [returned] })
    }))

  test("doesn't settle a charge by a commit that lacks some returns of the payment", () =>
    Effect.gen(function* () {
      const [early, unmatched, stale] = [yield* insertCharge(), yield* insertCharge(), yield* insertCharge()]
      const earlyPayment = aPayment(early)
      const stalePayment = aPayment(stale)
      const payments = [earlyPayment, yield* unmatchedFor(unmatched), stalePayment] as const
      yield* commit(aChange({ ...stale, version: 7 }, { next: aPaidCharge(stale), payments: [stalePayment] }))
      const halves = payments.map(splitPayment)
      yield* commit(aChange(early, { returns: halves[0] ?? [] }))
      for (const at of [1, 2] as const) {
        const { issuer, endToEndId } = payments[at]
        const change = {
          issuer,
          endToEndId,
          expectedVersion: 0,
          movedAt: fixtureNow,
          next: { _tag: "Open" as const },
          returns: halves[at] ?? [],
        }
        expect(yield* (yield* ExceptionStore).commit(change)).toBe(true)
      }
      for (const [index, charge] of [early, unmatched, stale].entries()) {
        const payment = payments[index] ?? aPayment(charge)
        const [first, second] = (halves[index] ?? []) as [Return, Return]
        for (const known of [[], [first]]) {
          const next = { ...aPaidCharge(charge, payment), returns: known }
          const answer = yield* commit(aChange(charge, { next, payments: [payment], returns: known }))
          expect([answer.moved, answer.foreignPayments]).toEqual([false, []])
          expect(yield* find(charge)).toEqual(charge)
        }
        const next = aReturnedCharge(charge, payment, first, second)
        expect((yield* commit(aChange(charge, { next, payments: [payment], returns: [first, second] }))).moved).toBe(
          true,
        )
        expect(yield* find(charge)).toEqual(next)
      }
    }))

  test("lets a charge adopt its wholly returned unmatched payment", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const payment = yield* unmatchedFor(charge)
      const returned = aReturn(payment)
      expect(yield* closedBy(returned)).toBe(true)
      const next = aReturnedCharge(charge, payment, returned)
      expect(yield* commit(aChange(charge, { next, payments: [payment], returns: [returned] }))).toEqual({
        moved: true,
        freshPayments: [],
        foreignPayments: [],
      })
      expect(yield* find(charge)).toEqual(next)
      expect(yield* findException(payment)).toBeUndefined()
    }))

  test("keeps a wholly returned unmatched payment unmatched as a further payment", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const further = yield* unmatchedFor({ ...charge, _tag: "Pending" } as unknown as PendingCharge)
      yield* closedBy(aReturn(further))
      expect((yield* commit(aChange(charge, { payments: [further] }))).foreignPayments).toEqual([])
      expect(yield* findException(further)).toMatchObject({
        payment: { chargeId: charge.id },
        reason: "furtherPayment",
        state: { _tag: "Refunded" },
      })
    }))

  test("doesn't record the returns of another charge's payment", () =>
    Effect.gen(function* () {
      const first = yield* insertPaid()
      const second = yield* insertCharge()
      const stolen = { ...first.payment, chargeId: second.id }
      const own = aPayment(second)
      const returns = [aReturn(stolen, { amountCents: cents(1) }), aReturn(own, { amountCents: cents(2) })]
      const change = aChange(second, { next: aPaidCharge(second, stolen), payments: [stolen, own], returns })
      expect((yield* commit(change)).foreignPayments).toEqual([stolen.endToEndId])
      expect(yield* find(first)).toEqual(first)
      expect((yield* findException(own))?.returns).toEqual(returns.slice(1))
    }))

  test("makes earlier decisions about a known payment stale once, when its new return is recorded", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const further = aPayment(charge)
      yield* commit(aChange(charge, { payments: [further] }))
      const before = (yield* findException(further))?.version ?? -1
      const returned = aReturn(further, { amountCents: cents(1) })
      for (let time = 0; time < 2; time++) {
        yield* commit(aChange(charge, { payments: [further], returns: [returned] }))
        expect((yield* findException(further))?.version).toBe(before + 1)
      }
      const next = { _tag: "Resolved" as const, note: "fica", resolvedAt: fixtureNow }
      const { issuer, endToEndId } = further
      const late = { issuer, endToEndId, expectedVersion: before, movedAt: fixtureNow, next, returns: [] }
      expect(yield* (yield* ExceptionStore).commit(late)).toBe(false)
    }))

  test("writes only one of a settlement and a closing return of an unmatched payment that are committed concurrently", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 20; round++) {
        const charge = yield* insertCharge()
        const payment = yield* unmatchedFor(charge)
        const next = aPaidCharge(charge, payment)
        const settling = Effect.map(commit(aChange(charge, { next, payments: [payment] })), ({ moved }) => moved)
        const racers = [settling, closedBy(aReturn(payment))]
        const answers = yield* Effect.all(round % 2 === 0 ? racers : racers.toReversed(), { concurrency: "unbounded" })
        expect(answers.toSorted()).toEqual([false, true])
      }
    }))
}
