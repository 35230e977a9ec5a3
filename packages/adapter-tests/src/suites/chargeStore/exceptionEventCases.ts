import { ChargeStore, ExceptionStore, type NewDelivery } from "@pixcharge/core"
import type { ExceptionReason, Payment, Return } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aPaidCharge, cents } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { anUnmatchedPayment, aPayment, aReturn } from "../../fixtures/Payments.ts"
import { cancelCharge, commit, find, findException, insertCharge, insertPaid } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { due, eventIds, listDeliveries, settleAll } from "../outbox/queue.ts"

const eventId = ({ issuer, endToEndId }: Payment, kind = "exception"): string => `evt_${issuer}_${endToEndId}_${kind}`

const delivery = (payment: Payment, reason: ExceptionReason, endpointId = "loja"): NewDelivery<"exception"> => {
  const { issuer, endToEndId, amountCents, chargeId, paidAt } = payment
  return {
    event: {
      id: eventId(payment),
      kind: "exception",
      issuer,
      companyName: "Padaria Aurora Ltda",
      occurredAt: paidAt,
      exception: { endToEndId, amountCents, ...(chargeId !== undefined && { chargeId }), reason },
    },
    endpointId,
  }
}

/** A delivery for each reason that a charge can give. */
const ofCharge = (...payments: ReadonlyArray<Payment>) =>
  payments.flatMap((payment) => [delivery(payment, "furtherPayment"), delivery(payment, "cancelledCharge")])

const returnedDelivery = (payment: Payment, reason: ExceptionReason): NewDelivery<"exception-returned"> => {
  const { event, endpointId } = delivery(payment, reason)
  const id = eventId(payment, "exception-returned")
  return { event: { ...event, id, kind: "exception-returned", returnKind: "outside" }, endpointId }
}

const recordUnmatched = (
  payment: Payment,
  returns: ReadonlyArray<Return> = [],
  endpoints: ReadonlyArray<string> = ["loja"],
) =>
  Effect.flatMap(ChargeStore, (store) =>
    store.recordUnmatched(
      payment,
      returns,
      endpoints.map((endpointId) => delivery(payment, "unmatched", endpointId)),
    ),
  )

/** The endToEndId and the reason of each published exception. */
const published = (issuer = aCnpj) =>
  Effect.map(listDeliveries({}, issuer), (deliveries) =>
    deliveries
      .flatMap(({ event }) => (event.kind === "exception" ? [event.exception] : []))
      .map(({ endToEndId, reason }) => [endToEndId, reason]),
  )

const endWith = Effect.fnUntraced(function* (payment: Payment, reason: ExceptionReason, returned: Return) {
  const exception = yield* findException(payment)
  const { issuer, endToEndId } = payment
  return yield* (yield* ExceptionStore).commit({
    issuer,
    endToEndId,
    expectedVersion: exception?.version ?? -1,
    movedAt: payment.recordedAt + 5,
    next: { _tag: "Refunded", refundId: returned.id, refundedAt: returned.returnedAt },
    returns: [returned],
    deliveries: [returnedDelivery(payment, reason)],
  })
})

export const exceptionEventCases = (tests: StoreTests): void => {
  newExceptionCases(tests)
  unmatchedExceptionCases(tests)
  orderCases(tests)
}

const newExceptionCases = ({ test }: StoreTests): void => {
  test("publishes a further payment once, when it is recorded", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      const payment = aPayment(paid)
      const change = aChange(paid, { payments: [payment], exceptions: ofCharge(payment) })
      expect((yield* commit(change)).moved).toBe(false)
      expect(yield* published()).toEqual([[payment.endToEndId, "furtherPayment"]])
      expect(yield* due(payment.recordedAt - 1)).toEqual([])
      expect(eventIds(yield* due(payment.recordedAt))).toEqual([eventId(payment)])
      yield* settleAll({ _tag: "Delivered" })
      yield* commit(change)
      expect(yield* due()).toEqual([])
    }))

  test("publishes one of 20 concurrent recordings of a further payment", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      const payment = aPayment(paid)
      const change = aChange(paid, { payments: [payment], exceptions: ofCharge(payment) })
      yield* Effect.all(
        Array.from({ length: 20 }, () => commit(change)),
        { concurrency: "unbounded" },
      )
      expect(yield* published()).toEqual([[payment.endToEndId, "furtherPayment"]])
    }))

  test("publishes a payment for the reason that its charge gives at the commit", () =>
    Effect.gen(function* () {
      const [paidOne, cancelledOne] = [yield* insertCharge(), yield* insertCharge()]
      const first = aPayment(paidOne)
      yield* commit(aChange(paidOne, { next: aPaidCharge(paidOne, first), payments: [first] }))
      yield* cancelCharge(cancelledOne)
      for (const charge of [paidOne, cancelledOne]) {
        const payment = aPayment(charge)
        const next = aPaidCharge(charge, payment)
        const change = { next, payments: [payment], exceptions: ofCharge(payment) }
        expect((yield* commit(aChange(charge, change))).moved).toBe(false)
        const reason = charge === paidOne ? "furtherPayment" : "cancelledCharge"
        expect(yield* published()).toContainEqual([payment.endToEndId, reason])
      }
      expect(yield* published()).toHaveLength(2)
    }))

  test("publishes no payment that settles its charge, and each payment that is recorded beside it", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const [payment, further] = [aPayment(charge), aPayment(charge)]
      const next = aPaidCharge(charge, payment)
      const exceptions = ofCharge(payment, further)
      expect((yield* commit(aChange(charge, { next, payments: [payment, further], exceptions }))).moved).toBe(true)
      expect(yield* published()).toEqual([[further.endToEndId, "furtherPayment"]])
    }))

  test("publishes no payment that the commit doesn't record", () =>
    Effect.gen(function* () {
      const [pending, charge, other] = [yield* insertCharge(), yield* insertPaid(), yield* insertPaid()]
      yield* cancelCharge(pending)
      const late = aPayment(pending)
      const bound = { next: aPaidCharge(pending, late), payments: [late], exceptions: ofCharge(late) }
      yield* commit(aChange(pending, { ...bound, onlyAtVersion: true }))
      const foreign = { ...other.payment, chargeId: charge.id }
      const { foreignPayments } = yield* commit(aChange(charge, { payments: [foreign], exceptions: ofCharge(foreign) }))
      expect(foreignPayments).toEqual([foreign.endToEndId])
      const theirs = yield* insertPaid({ issuer: anotherCnpj })
      const stolen = { ...theirs.payment, issuer: aCnpj, chargeId: charge.id }
      yield* commit(aChange(charge, { payments: [stolen], exceptions: ofCharge(stolen) }))
      expect(yield* published()).toEqual([])
    }))

  test("publishes a settling payment that another one replaces, but not the known payment that settles in its place", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      const { payment: first } = paid
      const second = aPayment(paid)
      yield* commit(aChange(paid, { payments: [second] }))
      const next = { ...paid, version: paid.version + 1, payment: second, returns: [] }
      const exceptions = ofCharge(first, second)
      const stale = { ...paid, version: paid.version - 1 }
      expect((yield* commit(aChange(stale, { next, payments: [second], exceptions }))).moved).toBe(false)
      expect(yield* published()).toEqual([])
      expect((yield* commit(aChange(paid, { next, payments: [second], exceptions }))).moved).toBe(true)
      expect(yield* published()).toEqual([[first.endToEndId, "furtherPayment"]])
    }))
}

const unmatchedExceptionCases = ({ test }: StoreTests): void => {
  test("publishes an unmatched payment to each endpoint, once", () =>
    Effect.gen(function* () {
      const payment = anUnmatchedPayment()
      const record = recordUnmatched(payment, [], ["loja", "parceiro"])
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => record),
        { concurrency: "unbounded" },
      )
      expect(answers.filter(Boolean)).toHaveLength(1)
      const claimed = yield* due(payment.recordedAt)
      expect(claimed.map(({ endpointId }) => endpointId).toSorted()).toEqual(["loja", "parceiro"])
      yield* settleAll({ _tag: "Delivered" })
      yield* recordUnmatched({ ...payment, recordedAt: payment.recordedAt + 9 })
      expect(yield* due()).toEqual([])
    }))

  test("publishes no unmatched payment of another company or of a charge", () =>
    Effect.gen(function* () {
      const theirs = anUnmatchedPayment({ issuer: anotherCnpj })
      yield* recordUnmatched(theirs, [], [])
      expect(yield* recordUnmatched({ ...theirs, issuer: aCnpj })).toBe(false)
      const { payment } = yield* insertPaid()
      expect(yield* recordUnmatched(payment)).toBe(false)
      expect(yield* published()).toEqual([])
    }))

  test("doesn't publish an unmatched payment again when a charge adopts it", () =>
    Effect.gen(function* () {
      for (const isCancelled of [false, true]) {
        const charge = yield* insertCharge()
        const payment = aPayment(charge)
        const { chargeId: _, ...unmatched } = payment
        yield* recordUnmatched(unmatched)
        if (isCancelled) yield* cancelCharge(charge)
        const next = aPaidCharge(charge, payment)
        yield* commit(aChange(charge, { next, payments: [payment], exceptions: ofCharge(payment) }))
        expect((yield* find(charge))?._tag).toBe(isCancelled ? "Cancelled" : "Paid")
        expect(yield* published()).toContainEqual([payment.endToEndId, "unmatched"])
      }
      expect(yield* published()).toHaveLength(2)
    }))
}

const orderCases = ({ test }: StoreTests): void => {
  test("shows a charge's events and its exceptions' events one after the other, in order", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja"])
      const payment = aPayment(paid)
      yield* commit(aChange(paid, { payments: [payment], exceptions: ofCharge(payment) }))
      expect(yield* endWith(payment, "furtherPayment", aReturn(payment))).toBe(true)
      const order: Array<string> = []
      for (let turn = 0; turn < 3; turn++) {
        const claimed = yield* settleAll({ _tag: "Delivered" })
        order.push(...claimed.map(({ event }) => event.kind))
        expect(claimed).toHaveLength(1)
      }
      expect(order).toEqual(["paid", "exception", "exception-returned"])
    }))

  test("shows them in order for a charge that hasn't moved, too", () =>
    Effect.gen(function* () {
      // Restored books: the payment was returned as an exception before.
      const charge = yield* insertCharge()
      const payment = aPayment(charge)
      yield* commit(aChange(charge, { payments: [payment], exceptions: ofCharge(payment) }))
      expect(yield* endWith(payment, "furtherPayment", aReturn(payment))).toBe(true)
      expect(eventIds(yield* settleAll({ _tag: "Delivered" }))).toEqual([eventId(payment)])
      expect(eventIds(yield* due())).toEqual([eventId(payment, "exception-returned")])
    }))

  test("shows the return of an unmatched payment once the payment's event is settled", () =>
    Effect.gen(function* () {
      const [payment, other, whole] = [anUnmatchedPayment(), anUnmatchedPayment(), anUnmatchedPayment()]
      const part = aReturn(payment, { amountCents: cents(5) })
      expect(yield* recordUnmatched(payment, [part])).toBe(true)
      const rest = aReturn(payment, { amountCents: cents(payment.amountCents - 5) })
      expect(yield* endWith(payment, "unmatched", rest)).toBe(true)
      yield* recordUnmatched(other)
      const both = [delivery(whole, "unmatched"), returnedDelivery(whole, "unmatched")]
      expect(yield* (yield* ChargeStore).recordUnmatched(whole, [aReturn(whole)], both)).toBe(true)
      const first = eventIds(yield* settleAll({ _tag: "Delivered" })).toSorted()
      expect(first).toEqual([payment, other, whole].map((one) => eventId(one)).toSorted())
      const ofWhole = eventId(whole, "exception-returned")
      expect(eventIds(yield* due(payment.recordedAt + 4))).toEqual([ofWhole])
      const last = eventIds(yield* due(payment.recordedAt + 5)).toSorted()
      expect(last).toEqual([ofWhole, eventId(payment, "exception-returned")].toSorted())
    }))

  test("shows a return once, even if its exception ends after it was delivered", () =>
    Effect.gen(function* () {
      const whole = anUnmatchedPayment()
      const returned = aReturn(whole)
      const both = [delivery(whole, "unmatched"), returnedDelivery(whole, "unmatched")]
      yield* (yield* ChargeStore).recordUnmatched(whole, [returned], both)
      for (let turn = 0; turn < 2; turn++) expect(yield* settleAll({ _tag: "Delivered" })).toHaveLength(1)
      expect(yield* endWith(whole, "unmatched", returned)).toBe(true)
      expect(yield* due()).toEqual([])
    }))
}
