import { ChargeLists, ChargeStore, DueChecks, ExceptionStore, Outbox, PayerData } from "@pixcharge/core"
import type { Charge, ExceptionState, Payment, PaymentStanding } from "@pixcharge/core/charges"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { aChange, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj } from "../../fixtures/Companies.ts"
import { anEvent } from "../../fixtures/Payments.ts"
import { type StoreHooks, storeTests, type StoreTests, type TestedPorts } from "../StoreDriver.ts"
import { commit, commitException, find, insertApproved, tryCharge } from "../commits.ts"
import { recurrenceCases } from "./recurrenceCases.ts"
import {
  erasedCharge,
  type Whole,
  wholeCancelled,
  wholeCharge,
  wholeCycleCharge,
  wholeFailedRefund,
  wholePaid,
  wholePayer,
  wholePayment,
  wholeRefund,
  wholeRefunded,
  wholeRefunding,
  wholeReturn,
} from "./wholeCharge.ts"

/**
 * Tests that a store keeps every field of its values and that every call returns it. Each value has all fields: a
 * missing field doesn't compile.
 */
export const everyFieldSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: fields`, () => {
    const tests = storeTests(layer, hooks)
    chargeCases(tests)
    recurrenceCases(tests)
  })
}

const period = { from: fixtureNow - 1, until: fixtureNow + 1e9 }
const page = { limit: 10 }
const leaseMs = 30_000

/** The charge as each call that returns charges shows it. */
const chargeByAnyCall = Effect.fnUntraced(function* (charge: Charge) {
  const { issuer, id, version, cycle } = charge
  const [store, lists, recurrences] = [yield* ChargeStore, yield* ChargeLists, yield* RecurrenceStore]
  const insertion = yield* store.insert({ ...wholeCharge(), id })
  return {
    find: yield* store.find(issuer, id),
    insert: insertion._tag === "Exists" && insertion.charge,
    changed: (yield* store.changed([{ issuer, id, version: version + 9 }]))[0],
    list: (yield* lists.charges(issuer, period, page)).items[0],
    search: (yield* lists.charges(issuer, { ...period, text: id }, page)).items[0],
    ...(charge.payer && { export: (yield* (yield* PayerData).export(issuer, charge.payer.taxId)).charges[0] }),
    ...(cycle && {
      cycles: (yield* recurrences.charges(issuer, cycle.recurrenceId, page)).items[0],
      cycle: yield* recurrences.lastCharge(issuer, cycle.recurrenceId, cycle.cycle),
    }),
    ...(cycle &&
      charge._tag === "Pending" && { open: (yield* recurrences.openCharges(issuer, cycle.recurrenceId))[0] }),
  }
})

/** Expects that every call returns the charge unchanged. */
const expectWhole = Effect.fnUntraced(function* (charge: Charge) {
  for (const [call, found] of Object.entries(yield* chargeByAnyCall(charge))) expect(found, call).toEqual(charge)
})

const insertCycleCharge = Effect.fnUntraced(function* () {
  const recurrence = yield* insertApproved()
  const charge = wholeCycleCharge(recurrence)
  expect((yield* tryCharge(recurrence, charge)).isWritten).toBe(true)
  return charge
})

/** Stores a paid charge of a cycle with its payment, a return, a partial refund, a row of terms and its event. */
const insertPaid = Effect.fnUntraced(function* () {
  const charge = yield* insertCycleCharge()
  const paid = wholePaid(charge)
  const { payment, returns, partialRefunds, termsRows } = paid
  const [partialRefund] = partialRefunds
  const deliveries = [{ event: anEvent(paid), endpointId: "loja" }]
  const change = {
    next: paid,
    payments: [payment],
    returns,
    deliveries,
    termsRows,
    ...(partialRefund && { partialRefund }),
  }
  expect((yield* commit(aChange(charge, change))).moved).toBe(true)
  return paid
})

const exceptionStates: { readonly [Tag in ExceptionState["_tag"]]: Whole<Extract<ExceptionState, { _tag: Tag }>> } = {
  Open: { _tag: "Open", failedRefund: wholeFailedRefund("exceção") },
  Refunding: { _tag: "Refunding", refund: wholeRefund("exceção"), checkAt: fixtureNow + 60_001 },
  Refunded: { _tag: "Refunded", refundId: "exceção", refundedAt: fixtureNow + 70_001, reason: "engano" },
  Resolved: {
    _tag: "Resolved",
    note: "entregue",
    resolvedAt: fixtureNow + 80_001,
    returnedAt: fixtureNow + 81_001,
  },
}

export const chargeCases = ({ test }: StoreTests): void => {
  test("finds every field of a new charge by every call, and claims it", () =>
    Effect.gen(function* () {
      const charge = wholeCharge()
      expect(yield* (yield* ChargeStore).insert(charge)).toEqual({ _tag: "Inserted" })
      yield* expectWhole(charge)
      const now = charge.lookUpAt + 1
      const { lookUpAt: _, ...claimed } = { ...charge, checkAt: now + leaseMs }
      expect(yield* (yield* DueChecks).claimCharges({ now, limit: 9, leaseMs })).toEqual([claimed])
    }))

  test("finds every field of a cycle's charge in every state", () =>
    Effect.gen(function* () {
      const cancelled = yield* insertCycleCharge()
      yield* expectWhole(cancelled)
      expect((yield* commit(aChange(cancelled, { next: wholeCancelled(cancelled) }))).moved).toBe(true)
      expect(yield* find(cancelled)).toEqual(wholeCancelled(cancelled))
      const paid = yield* insertPaid()
      const refunding = wholeRefunding(paid)
      for (const [before, next] of [[paid, refunding] as const, [refunding, wholeRefunded(refunding)] as const]) {
        expect(yield* find(before)).toEqual(before)
        expect((yield* commit(aChange(before, { next }))).moved).toBe(true)
        expect(yield* find(next)).toEqual(next)
      }
    }))

  test("finds every field of a paid charge, its payment, its return and its event by every call", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      yield* expectWhole(paid)
      const { payment, returns } = paid
      const [lists, outbox] = [yield* ChargeLists, yield* Outbox]
      expect((yield* lists.payments(aCnpj, period, page)).items).toEqual([payment])
      expect(yield* lists.payment(aCnpj, payment.endToEndId)).toEqual(payment)
      expect(yield* lists.paymentsById(aCnpj, [payment.endToEndId])).toEqual([payment])
      expect(yield* lists.paymentsAt(aCnpj, period)).toEqual([payment])
      expect((yield* lists.returns(aCnpj, period, page)).items).toEqual(returns)
      expect(yield* lists.returnsOf(aCnpj, [payment.endToEndId])).toEqual(returns)
      const event = anEvent(paid)
      expect((yield* outbox.list(aCnpj, {}, page)).items).toMatchObject([{ event, endpointId: "loja" }])
      const { queues } = yield* outbox.claim({ now: period.until, limit: 1, deliveries: 1, leaseMs })
      expect(queues[0]?.due).toEqual([{ event, endpointId: "loja", attempt: 1, number: 1 }])
    }))

  test("finds every field of an exception by every call, in every state", () =>
    Effect.gen(function* () {
      const [exceptions, checks] = [yield* ExceptionStore, yield* DueChecks]
      for (const state of Object.values(exceptionStates)) {
        const known = yield* insertPaid()
        const { chargeId: _, ...payment } = wholePayment(known)
        const returns = [wholeReturn(payment)]
        expect(yield* (yield* ChargeStore).recordUnmatched(payment, returns)).toBe(true)
        const recorded = yield* exceptions.find(aCnpj, payment.endToEndId)
        expect(yield* commitException(payment, state, { expectedVersion: recorded?.version ?? -1 })).toBe(true)
        const version = (recorded?.version ?? -1) + 1
        const whole = { payment, reason: "unmatched", state, version, returns }
        expect(yield* exceptions.find(aCnpj, payment.endToEndId)).toEqual(whole)
        expect(yield* exceptions.ofCharge(known, 9)).toEqual([whole])
        expect((yield* exceptions.search(aCnpj, period, page)).items).toContainEqual(whole)
        if (state._tag === "Open" || state._tag === "Refunding") {
          expect((yield* exceptions.listOpen(aCnpj, page)).items).toContainEqual(whole)
        }
        if (state._tag !== "Refunding") continue
        const claimed = { ...whole, state: { ...state, checkAt: state.checkAt + leaseMs } }
        expect(yield* checks.claimExceptions({ now: state.checkAt, limit: 9, leaseMs })).toEqual([claimed])
      }
    }))

  test("finds every field of a further payment and its standing", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      const paid = yield* insertPaid()
      const payment: Whole<Payment> = wholePayment(paid)
      const returns = [wholeReturn(payment)]
      yield* commit(aChange(paid, { payments: [payment], returns }))
      expect(yield* commitException(payment, exceptionStates.Resolved, { expectedVersion: 1 })).toBe(true)
      expect(yield* (yield* ChargeLists).payment(aCnpj, payment.endToEndId)).toEqual(payment)
      const { issuer, endToEndId, chargeId, amountCents } = payment
      const standing: Whole<PaymentStanding> = {
        issuer,
        endToEndId,
        chargeId,
        amountCents,
        charge: "Paid",
        exception: "Resolved",
        isReturned: true,
        returns,
      }
      expect(yield* store.standings([{ issuer, endToEndId, chargeId }])).toEqual([standing])
    }))

  test("erases every field that names the payer from a charge, even after a later move, and keeps all other fields", () =>
    Effect.gen(function* () {
      const [store, payers] = [yield* ChargeStore, yield* PayerData]
      const at = fixtureNow + 90_001
      const [paid, unmoved] = [yield* insertPaid(), wholeCharge()]
      yield* store.insert(unmoved)
      expect(yield* payers.erase(aCnpj, wholePayer.taxId, at)).toBe(2)
      for (const charge of [paid, unmoved]) expect(yield* find(charge)).toEqual(erasedCharge(charge, at))
      expect(yield* payers.export(aCnpj, wholePayer.taxId)).toEqual({ charges: [] })
      const refunding = wholeRefunding(paid)
      const [partialRefund] = paid.partialRefunds
      const change = { next: refunding, termsRows: paid.termsRows, ...(partialRefund && { partialRefund }) }
      expect((yield* commit(aChange(paid, change))).moved).toBe(true)
      expect(yield* find(paid)).toEqual(erasedCharge(refunding, at))
    }))
}
