import { ChargeStore, type SeenCharge, type PaymentRef } from "@pixcharge/core"
import type { Charge, ExceptionState, Payment, PaymentStanding } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aChargeId, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { anEndToEndId, anUnmatchedPayment, aPayment, aReturn } from "../../fixtures/Payments.ts"
import type { StoreTests } from "../StoreDriver.ts"
import {
  cancelCharge,
  commit,
  commitException,
  find,
  insertCharge,
  insertPaid,
  recordUnmatched,
  refundCharge,
  refundingState,
  requestRefund,
  resolved,
  settleCharge,
} from "../commits.ts"

const standings = (shown: ReadonlyArray<PaymentRef>) => Effect.flatMap(ChargeStore, (store) => store.standings(shown))

const place = ({ issuer, endToEndId }: Payment): PaymentRef => ({ issuer, endToEndId })

const makeStanding = (
  { issuer, endToEndId, amountCents, chargeId }: Payment,
  stands: Partial<PaymentStanding> = {},
): PaymentStanding => ({ issuer, endToEndId, amountCents, ...(chargeId && { chargeId }), returns: [], ...stands })

const sortStandings = (found: ReadonlyArray<PaymentStanding>) =>
  found.toSorted((a, b) => (a.endToEndId < b.endToEndId ? -1 : 1))

export const standingCases = ({ test }: StoreTests): void => {
  test("shows the charge's state for a payment that settled it", () =>
    Effect.gen(function* () {
      const states = {
        Paid: yield* insertPaid(),
        Refunding: yield* requestRefund(yield* insertPaid()),
        Refunded: yield* refundCharge(yield* insertPaid({ issuer: anotherCnpj })),
      }
      const all = Object.values(states)
      const expected = Object.entries(states).map(([charge, { payment, returns }]) =>
        makeStanding(payment, { charge: charge as Charge["_tag"], returns }),
      )
      const found = yield* standings(all.map(({ payment }) => place(payment)))
      expect(sortStandings(found)).toEqual(sortStandings(expected))
    }))

  test("shows an exception for a payment whose charge is pending, cancelled or paid by a different payment", () =>
    Effect.gen(function* () {
      const pending = yield* insertCharge()
      const late = aPayment(pending)
      // A commit from a stale version records the payment, but doesn't settle the charge.
      yield* commit(aChange(pending, { expectedVersion: 7, payments: [late] }))
      const cancelled = yield* insertCharge()
      yield* cancelCharge(cancelled)
      const afterwards = aPayment(cancelled)
      yield* commit(aChange(cancelled, { expectedVersion: 2, payments: [afterwards] }))
      const paid = yield* insertPaid()
      const further = aPayment(paid)
      yield* commit(aChange(paid, { payments: [further] }))
      expect(sortStandings(yield* standings([late, afterwards, further].map(place)))).toEqual(
        sortStandings([
          makeStanding(late, { charge: "Pending", exception: "Open" }),
          makeStanding(afterwards, { charge: "Cancelled", exception: "Open" }),
          makeStanding(further, { charge: "Paid", exception: "Open" }),
        ]),
      )
    }))

  test("shows an exception, with its returns, for a payment without a charge", () =>
    Effect.gen(function* () {
      const states: ReadonlyArray<ExceptionState> = [
        refundingState(),
        { _tag: "Refunded", refundId: "R1", refundedAt: fixtureNow },
        resolved,
      ]
      const open = yield* recordUnmatched()
      const expected = [makeStanding(open, { exception: "Open" })]
      for (const state of states) {
        const payment = yield* recordUnmatched()
        const returns = ["A", "b"].map((id, index) =>
          aReturn(payment, { id, amountCents: cents(100 + index), returnedAt: fixtureNow + index }),
        )
        yield* commitException(payment, state, { returns })
        expected.push(makeStanding(payment, { exception: state._tag, returns }))
      }
      expect(sortStandings(yield* standings(expected))).toEqual(sortStandings(expected))
    }))

  test("shows a payment's recorded charge, or else the charge that the request names", () =>
    Effect.gen(function* () {
      const named = yield* insertCharge()
      const nameless = yield* recordUnmatched()
      const paid = yield* insertPaid()
      const findStandings = (payment: Payment, chargeId = named.id) => standings([{ ...place(payment), chargeId }])
      expect(yield* findStandings(nameless)).toEqual([makeStanding(nameless, { charge: "Pending", exception: "Open" })])
      expect(yield* findStandings(nameless, aChargeId())).toEqual([makeStanding(nameless, { exception: "Open" })])
      expect(yield* findStandings(paid.payment)).toEqual([makeStanding(paid.payment, { charge: "Paid" })])
      const others = yield* insertCharge({ issuer: anotherCnpj })
      expect(yield* findStandings(nameless, others.id)).toEqual([makeStanding(nameless, { exception: "Open" })])
    }))

  test("among many payments, omits payments that are unknown or whose ids differ in letter case", () =>
    Effect.gen(function* () {
      const issuers = [aCnpj, anotherCnpj, alphanumericCnpj]
      const payments: Array<Payment> = []
      for (let index = 0; index < 30; index++) {
        const pending = yield* insertCharge({ issuer: issuers[index % 3] ?? aCnpj })
        payments.push((yield* settleCharge(pending)).payment)
      }
      const [first] = payments as [Payment]
      const unknown: ReadonlyArray<PaymentRef> = [
        { issuer: aCnpj, endToEndId: anEndToEndId() },
        { ...place(first), issuer: anotherCnpj },
        { ...place(first), endToEndId: first.endToEndId.toLowerCase() },
      ]
      expect(sortStandings(yield* standings([...payments.map(place), ...unknown]))).toEqual(
        sortStandings(payments.map((payment) => makeStanding(payment, { charge: "Paid" }))),
      )
      expect(yield* standings([])).toEqual([])
    }))
}

const findChanged = (seen: ReadonlyArray<SeenCharge>) => Effect.flatMap(ChargeStore, (store) => store.changed(seen))

const toSeen = ({ issuer, id, version }: Charge): SeenCharge => ({ issuer, id, version })

const byId = (charges: ReadonlyArray<Charge>) => charges.toSorted((a, b) => (a.id < b.id ? -1 : 1))

export const changedCases = ({ test }: StoreTests): void => {
  test("returns many companies' charges that have moved since, as `find` does", () =>
    Effect.gen(function* () {
      const issuers = [aCnpj, anotherCnpj, alphanumericCnpj]
      const all: Array<Charge> = []
      for (let index = 0; index < 30; index++) all.push(yield* insertCharge({ issuer: issuers[index % 3] ?? aCnpj }))
      expect(yield* findChanged(all.map(toSeen))).toEqual([])
      const moved = all.filter((_, index) => index % 7 === 0)
      const paid: Array<Charge> = []
      for (const charge of moved) if (charge._tag === "Pending") paid.push(yield* settleCharge(charge))
      const found = yield* findChanged(all.map(toSeen))
      expect(byId(found)).toEqual(byId(paid))
      for (const charge of found) expect(yield* find(charge)).toEqual(charge)
      expect(yield* findChanged(found.map(toSeen))).toEqual([])
    }))

  test("returns a charge that the caller hasn't seen, and omits one that doesn't exist", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      expect(yield* findChanged([{ ...toSeen(charge), version: 0 }])).toEqual([charge])
      expect(yield* findChanged([{ issuer: aCnpj, id: aChargeId(), version: 0 }])).toEqual([])
      expect(yield* findChanged([{ ...toSeen(charge), issuer: anotherCnpj, version: 0 }])).toEqual([])
      expect(yield* findChanged([])).toEqual([])
    }))

  test("counts a return recorded without a move as a change of the charge", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const returned = aReturn(charge.payment, { kind: "outside" })
      yield* commit(aChange(charge, { returns: [returned] }))
      expect(yield* findChanged([toSeen(charge)])).toEqual([
        { ...charge, version: charge.version + 1, returns: [returned] },
      ])
    }))
}

export const ownerCases = ({ test }: StoreTests): void => {
  test("finds the companies of payments by ids in upper or lower case", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      const settling = (yield* insertPaid({ issuer: alphanumericCnpj })).payment.endToEndId
      const unmatched = anUnmatchedPayment({ issuer: anotherCnpj })
      yield* store.recordUnmatched(unmatched)
      const { endToEndId } = unmatched
      const unknown = anUnmatchedPayment().endToEndId
      const found = yield* store.owners([settling, endToEndId.toUpperCase(), unknown, endToEndId.toLowerCase()])
      expect(new Map(found.map((one) => [one.endToEndId, one.issuer]))).toEqual(
        new Map([
          [settling.toLowerCase(), alphanumericCnpj],
          [endToEndId.toLowerCase(), anotherCnpj],
        ]),
      )
      expect(found).toHaveLength(2)
      expect(yield* store.owners([unknown])).toEqual([])
      expect(yield* store.owners([])).toEqual([])
    }))
}
