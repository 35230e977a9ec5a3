import { ChargeStore, Outbox, PayerData } from "@pixcharge/core"
import type { Charge, PendingCharge } from "@pixcharge/core/charges"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import {
  aChange,
  aFailedRefund,
  aPaidCharge,
  aPartialRefund,
  aPartlyRefundedCharge,
  aRefundingCharge,
  fixtureNow,
} from "../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj, cpf } from "../fixtures/Companies.ts"
import { anEvent, aPayment } from "../fixtures/Payments.ts"
import { movedRecurrence } from "../fixtures/Recurrences.ts"
import { type StoreHooks, storeTests, type StoreTests, type TestedPorts } from "./StoreDriver.ts"
import {
  commit,
  commitRecurrence,
  endRecurrence,
  find,
  findRecurrence,
  insertApproved,
  insertCharge,
  insertPaid,
  insertRecurrence,
} from "./commits.ts"
import { settleAll } from "./outbox/queue.ts"
import { termsRowCases } from "./payerTermsCases.ts"

/** Tests of a store's `PayerData`. */
export const payerDataSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: PayerData`, () => {
    payerCases(storeTests(layer, hooks))
    referenceCases(storeTests(layer, hooks))
    termsRowCases(storeTests(layer, hooks))
    recurrenceCases(storeTests(layer, hooks))
  })
}

const payer = { name: 'Joana d\'Arc "Jô" \\ 🦜', taxId: cpf("52998224725") }
const erasedAt = fixtureNow + 777_000

export const payerCases = ({ test }: StoreTests): void => {
  test("exports all charges of a payer, under any name, of this company only", () =>
    Effect.gen(function* () {
      const payers = yield* PayerData
      const paid = yield* insertPaid({ payer, createdAt: fixtureNow + 1 })
      const pending = yield* insertCharge({ payer: { ...payer, name: "J. d'Arc" } })
      yield* insertCharge({ payer: { name: payer.name, taxId: alphanumericCnpj } })
      yield* insertCharge({ payer, issuer: anotherCnpj })
      yield* insertCharge()
      const { charges } = yield* payers.export(aCnpj, payer.taxId)
      expect(charges).toEqual([paid, pending])
      expect(yield* payers.export(aCnpj, cpf("11144477735"))).toEqual({ charges: [] })
    }))

  test("erases a payer from every charge of the company, and keeps the other fields", () =>
    Effect.gen(function* () {
      const payers = yield* PayerData
      const paid = yield* insertPaid({ payer })
      const pending = yield* insertCharge({ payer })
      const theirs = yield* insertCharge({ payer, issuer: anotherCnpj })
      const other = yield* insertCharge({ payer: { name: payer.name, taxId: alphanumericCnpj } })
      expect(yield* payers.erase(aCnpj, payer.taxId, erasedAt)).toBe(2)
      for (const charge of [paid, pending]) {
        const { payer: _, ...facts } = charge
        expect(yield* find(charge)).toMatchObject({ ...facts, payerErasedAt: erasedAt })
        expect("payer" in ((yield* find(charge)) ?? {})).toBe(false)
      }
      expect(yield* find(theirs)).toEqual(theirs)
      expect(yield* find(other)).toEqual(other)
      expect(yield* payers.export(aCnpj, payer.taxId)).toEqual({ charges: [] })
      expect(yield* payers.erase(aCnpj, payer.taxId, erasedAt + 1)).toBe(0)
      expect((yield* find(paid))?.payerErasedAt).toBe(erasedAt)
    }))

  test("exports texts shown to a payer, and erases them together with the name", () =>
    Effect.gen(function* () {
      const payers = yield* PayerData
      const shown = { payer, messageToPayer: "Olá, Joana", additionalInfo: [{ name: "Aluna", value: "Jô" }] }
      const pending = yield* insertCharge(shown)
      const paid = yield* insertPaid(shown)
      const other = yield* insertCharge({ ...shown, payer: { name: payer.name, taxId: alphanumericCnpj } })
      expect((yield* payers.export(aCnpj, payer.taxId)).charges.toSorted((a, b) => a.version - b.version)).toEqual([
        pending,
        paid,
      ])
      expect(yield* payers.erase(aCnpj, payer.taxId, erasedAt)).toBe(2)
      for (const charge of [pending, paid]) {
        const { payer: _, messageToPayer: _message, additionalInfo: _info, ...facts } = charge
        expect(yield* find(charge)).toEqual({ ...facts, payerErasedAt: erasedAt })
      }
      expect(yield* find(other)).toEqual(other)
      // A move that was decided before the erasure doesn't restore the texts.
      const payment = aPayment(pending)
      yield* commit(aChange(pending, { next: aPaidCharge(pending, payment), payments: [payment] }))
      const after = yield* find(pending)
      expect(after?._tag).toBe("Paid")
      expect([after?.messageToPayer, after?.additionalInfo]).toEqual([undefined, undefined])
    }))

  test("erases reasons of refunds, which moves decided before the erasure don't restore", () =>
    Effect.gen(function* () {
      const [whole, partlyRefunded] = [yield* insertPaid({ payer }), yield* insertPaid({ payer })]
      const begun = aRefundingCharge(whole)
      const refunding = { ...begun, refund: { ...begun.refund, reason: "Joana desistiu" } }
      const part = aPartialRefund(partlyRefunded)
      const partialRefund = { ...part, refund: { ...part.refund, reason: "Joana desistiu" } }
      const partly = aPartlyRefundedCharge(partlyRefunded, partialRefund)
      yield* commit(aChange(whole, { next: refunding }))
      yield* commit(aChange(partlyRefunded, { next: partly, partialRefund }))
      expect([yield* find(whole), yield* find(partlyRefunded)]).toEqual([refunding, partly])
      yield* (yield* PayerData).erase(aCnpj, payer.taxId, erasedAt)
      expect(JSON.stringify([yield* find(whole), yield* find(partlyRefunded)])).not.toContain("Joana")
      const failed = aFailedRefund(refunding, "sem saldo")
      expect((yield* commit(aChange(refunding, { next: failed }))).moved).toBe(true)
      const again = aPartlyRefundedCharge(partly, { ...partialRefund, rejection: "sem saldo" })
      const change = aChange(partly, { next: again, partialRefund: { ...partialRefund, rejection: "sem saldo" } })
      expect((yield* commit(change)).moved).toBe(true)
      expect(JSON.stringify([yield* find(whole), yield* find(partlyRefunded)])).not.toContain("Joana")
    }))

  test("doesn't accept a new charge with the id of a charge whose payer was erased", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge({ payer })
      yield* (yield* PayerData).erase(aCnpj, payer.taxId, erasedAt)
      const insertion = yield* (yield* ChargeStore).insert(charge)
      expect(insertion).toEqual({ _tag: "Exists", charge: yield* find(charge) })
    }))

  test("doesn't restore an erased payer by a move that was decided before the erasure", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge({ payer })
      yield* (yield* PayerData).erase(aCnpj, payer.taxId, erasedAt)
      const payment = aPayment(charge)
      yield* commit(aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] }))
      const after = yield* find(charge)
      expect(after).toMatchObject({ payerErasedAt: erasedAt })
      expect(after?.payer).toBeUndefined()
    }))

  test("moves a charge after its payer was erased", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge({ payer })
      yield* (yield* PayerData).erase(aCnpj, payer.taxId, erasedAt)
      const read = yield* find(charge)
      if (read?._tag !== "Pending") throw new Error("expected a pending charge")
      const next = aPaidCharge(read)
      expect((yield* commit(aChange(read, { next, payments: [next.payment] }))).moved).toBe(true)
      expect(yield* find(charge)).toEqual(next)
    }))
}

const ofShop = { payer, reference: "Pedido de Joana", metadata: { aluna: "Joana", turma: "5B" } }

/** The events of a charge in the outbox, as text. */
const storedEvents = ({ id }: Pick<Charge, "id">) =>
  Effect.flatMap(Outbox, (outbox) =>
    Effect.map(outbox.list(aCnpj, { chargeId: id }, { limit: 10 }), ({ items }) =>
      JSON.stringify(items.map(({ event }) => event)),
    ),
  )

/** Pays a charge with an event to one endpoint. */
const payAndPublish = Effect.fnUntraced(function* (charge: PendingCharge, endpointId: string) {
  const payment = aPayment(charge)
  const next = aPaidCharge(charge, payment)
  const deliveries = [{ event: anEvent(next), endpointId }]
  expect((yield* commit(aChange(charge, { next, payments: [payment], deliveries }))).moved).toBe(true)
  return next
})

export const referenceCases = ({ test }: StoreTests): void => {
  test("erases a charge's reference and metadata with its payer, also from its events, delivered or not", () =>
    Effect.gen(function* () {
      const [delivered, waiting, other] = [
        yield* insertCharge(ofShop),
        yield* insertCharge(ofShop),
        yield* insertCharge({ ...ofShop, payer: { ...payer, taxId: alphanumericCnpj } }),
      ]
      const paid = yield* payAndPublish(delivered, "loja")
      yield* settleAll({ _tag: "Delivered" })
      yield* payAndPublish(waiting, "loja")
      const others = yield* payAndPublish(other, "loja")
      for (const one of [delivered, waiting, other]) expect(yield* storedEvents(one)).toContain("Joana")
      yield* (yield* PayerData).erase(aCnpj, payer.taxId, erasedAt)
      for (const one of [delivered, waiting]) {
        expect(JSON.stringify(yield* find(one))).not.toContain("Joana")
        expect(yield* storedEvents(one)).not.toContain("Joana")
      }
      const { reference: _, metadata: _metadata, ...payment } = anEvent(paid).payment
      expect(JSON.parse(yield* storedEvents(delivered))).toEqual([{ ...anEvent(paid), payment }])
      expect(JSON.parse(yield* storedEvents(other))).toEqual([anEvent(others)])
    }))

  test("doesn't store the reference and metadata of an erased payer by a move that was decided before the erasure", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge(ofShop)
      yield* (yield* PayerData).erase(aCnpj, payer.taxId, erasedAt)
      const { payment } = anEvent(yield* payAndPublish(charge, "loja"))
      expect(yield* storedEvents(charge)).toContain(payment.endToEndId)
      expect(yield* storedEvents(charge)).not.toContain("Joana")
      expect(JSON.stringify(yield* find(charge))).not.toContain("Joana")
    }))

  test("keeps reference and metadata on request, on the charge and in its events", () =>
    Effect.gen(function* () {
      const [waiting, paidBefore] = [yield* insertCharge(ofShop), yield* insertCharge(ofShop)]
      const before = yield* payAndPublish(paidBefore, "loja")
      const payers = yield* PayerData
      expect(yield* payers.erase(aCnpj, payer.taxId, erasedAt, { keepReference: true })).toBe(2)
      const { payer: _, ...facts } = waiting
      expect(yield* find(waiting)).toEqual({ ...facts, payerErasedAt: erasedAt })
      const { payer: _payer, ...paidFacts } = before
      expect(yield* find(paidBefore)).toEqual({ ...paidFacts, payerErasedAt: erasedAt })
      expect(JSON.parse(yield* storedEvents(paidBefore))).toEqual([anEvent(before)])
      const paid = yield* payAndPublish(waiting, "loja")
      expect(JSON.parse(yield* storedEvents(waiting))).toEqual([anEvent(paid)])
      expect(yield* find(waiting)).toMatchObject({ reference: ofShop.reference, metadata: ofShop.metadata })
    }))
}

export const recurrenceCases = ({ test }: StoreTests): void => {
  test("erases a payer from this company's recurrences, and doesn't restore it by moves decided before the erasure", () =>
    Effect.gen(function* () {
      const [payers, store] = [yield* PayerData, yield* RecurrenceStore]
      const ended = [yield* endRecurrence(yield* insertApproved()), yield* endRecurrence(yield* insertApproved())]
      const others = [
        yield* insertRecurrence({ issuer: anotherCnpj }),
        yield* insertRecurrence({ payer: { ...payer, taxId: alphanumericCnpj } }),
      ]
      expect(yield* payers.erase(aCnpj, payer.taxId, erasedAt)).toBe(2)
      for (const one of ended) {
        const { payer: _, ...facts } = one
        expect(yield* findRecurrence(one)).toEqual({ ...facts, payerErasedAt: erasedAt })
        expect(yield* commitRecurrence(one, movedRecurrence(one))).toBe(true)
        expect(yield* findRecurrence(one)).toEqual({ ...movedRecurrence(facts as typeof one), payerErasedAt: erasedAt })
      }
      expect((yield* store.list(aCnpj, { payer: payer.taxId }, { limit: 5 })).items).toEqual([])
      for (const other of others) expect(yield* findRecurrence(other)).toEqual(other)
      expect(yield* payers.erase(aCnpj, payer.taxId, erasedAt + 1)).toBe(0)
    }))

  test("erases the payer's bank account from a recurrence", () =>
    Effect.gen(function* () {
      const request = { by: "bank", ispb: "12345678", until: fixtureNow + 1 } as const
      const journey = { ...request, branch: "1", account: "987654" }
      const { payer: _, ...facts } = yield* endRecurrence(yield* insertApproved({ journey }))
      expect(yield* (yield* PayerData).erase(aCnpj, payer.taxId, erasedAt)).toBe(1)
      expect(yield* findRecurrence(facts)).toEqual({ ...facts, journey: request, payerErasedAt: erasedAt })
    }))

  test("erases nothing while one of the payer's recurrences isn't over", () =>
    Effect.gen(function* () {
      const payers = yield* PayerData
      const charge = yield* insertCharge({ payer })
      const ended = yield* endRecurrence(yield* insertApproved())
      const [requested, approved] = [yield* insertRecurrence(), yield* insertApproved()]
      const refusal = yield* Effect.flip(payers.erase(aCnpj, payer.taxId, erasedAt))
      expect(refusal).toMatchObject({ _tag: "PayerHasRecurrence", issuer: aCnpj })
      expect([requested.id, approved.id]).toContain("id" in refusal && refusal.id)
      for (const known of [ended, requested, approved]) expect(yield* findRecurrence(known)).toEqual(known)
      expect(yield* find(charge)).toEqual(charge)
    }))
}
