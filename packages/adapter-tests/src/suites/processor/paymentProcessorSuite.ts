import type { PaymentProcessor } from "@pixcharge/core"
import { decodeBrCode } from "@pixcharge/core/brcode"
import type { Charge } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import { parseTaxId } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import { anOrder, aPayer, aRegisteredCharge, heldTerms, registeredPending } from "../../fixtures/Orders.ts"
import { processorSuiteCase, type ProcessorSuiteCase, type ProcessorUnderTest } from "./ProcessorDriver.ts"
import { changeCases } from "./changeCases.ts"
import { paymentsCases, refundCases } from "./moneyCases.ts"

/** Tests of any `PaymentProcessor`. `open` makes a new processor for each test. */
export const paymentProcessorSuite = (
  name: string,
  open: Effect.Effect<ProcessorUnderTest, unknown, Scope.Scope>,
): void => {
  const test = processorSuiteCase(open)
  describe(`${name}: a payment processor`, () => {
    registerCases(test)
    changeCases(test)
    lookupCases(test)
    cancelCases(test)
    refundCases(test)
    paymentsCases(test)
  })
}

export const registerCases = (test: ProcessorSuiteCase): void => {
  test("returns a dynamic BR Code for a registration", ({ processor, company }) =>
    Effect.gen(function* () {
      for (const order of [yield* anOrder(company), yield* anOrder(company, { dueInDays: 3 })]) {
        const registered = yield* processor.register(order)
        expect(registered.txid).toBe(order.txid)
        expect(registered.brCode.length).toBeLessThanOrEqual(512)
        expect(Result.getOrThrow(decodeBrCode(registered.brCode)).code._tag).toBe("Dynamic")
      }
    }))

  test("returns different codes for different charges", ({ processor, company, otherCompany }) =>
    Effect.gen(function* () {
      const first = yield* anOrder(company)
      const codes = [
        (yield* processor.register(first)).brCode,
        (yield* processor.register(yield* anOrder(company))).brCode,
        // Every other company can use the same id (decision 6).
        (yield* processor.register({ ...first, company: otherCompany })).brCode,
      ]
      expect(new Set(codes).size).toBe(3)
    }))

  test("registers a charge for a company with any name and city", ({ processor, company }) =>
    Effect.gen(function* () {
      const names = [
        ["Associação Beneficente São João Batista de Itaquaquecetuba ß", "São José do Vale do Rio Preto"],
        ["Æ", "Ö"],
        ["株式会社", "東京"],
      ] as const
      for (const [name, city] of names) {
        const { brCode } = yield* processor.register(yield* anOrder({ ...company, name, city }))
        expect(Result.isSuccess(decodeBrCode(brCode)), name).toBe(true)
      }
    }))

  test("returns the same charge and its first creation time for a repeated registration", ({ processor, company }) =>
    Effect.gen(function* () {
      for (const order of [yield* anOrder(company), yield* anOrder(company, { dueInDays: 3 })]) {
        const first = yield* processor.register(order)
        expect(yield* processor.register({ ...order, requestedAt: order.requestedAt + 60_000 })).toEqual(first)
      }
    }))

  test("makes one charge of several concurrent registrations", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company, { dueInDays: 3 })
      const all = yield* Effect.all(
        Array(8).fill(processor.register(order)) as Array<ReturnType<PaymentProcessor["Service"]["register"]>>,
        {
          concurrency: "unbounded",
        },
      )
      expect(new Set(all.map((registered) => JSON.stringify(registered))).size).toBe(1)
    }))

  test("reports a conflict for another amount, due date or payer under the same txid", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company, { dueInDays: 3 })
      yield* processor.register(order)
      const { dueDate } = yield* anOrder(company, { dueInDays: 4 })
      const { dueDate: _, payer: __, ...immediate } = order
      const otherPayer = { name: "Outra Pessoa", taxId: Result.getOrThrow(parseTaxId("11.222.333/0001-81")) }
      const others = [
        { ...order, amountCents: 1991 as Cents },
        { ...order, ...(dueDate && { dueDate }) },
        { ...order, payer: otherPayer },
        immediate,
      ]
      for (const other of others) {
        const conflict = yield* Effect.flip(processor.register(other))
        expect(conflict).toMatchObject({ _tag: "ChargeConflict", issuer: company.cnpj, id: order.id })
      }
      const immediateOrder = yield* anOrder(company)
      yield* processor.register(immediateOrder)
      const dated = { ...immediateOrder, payer: aPayer, ...(dueDate && { dueDate }) }
      expect((yield* Effect.flip(processor.register(dated)))._tag).toBe("ChargeConflict")
    }))

  test("returns the code of a charge that was paid since its first registration", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      const first = yield* processor.register(order)
      yield* pay(registeredPending(order, first))
      expect(yield* processor.register(order)).toEqual(first)
    }))

  test("refuses to register a removed charge again", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      yield* processor.cancel(registeredPending(order, yield* processor.register(order)))
      expect((yield* Effect.flip(processor.register(order)))._tag).toBe("ProcessorRejected")
    }))
}

export const lookupCases = (test: ProcessorSuiteCase): void => {
  test("shows a charge as active, and as completed with its payment once paid", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      for (const given of [{}, { dueInDays: 2 }]) {
        const charge = yield* aRegisteredCharge(processor, company, given)
        const view = yield* processor.lookup(charge)
        const terms = heldTerms(charge, view)
        // The view can also show the company's Pix key.
        const { pixKey = company.pixKey, ...shown } = view
        expect([shown, pixKey]).toEqual([{ status: "active", terms, payments: [], returns: [] }, company.pixKey])
        const notice = yield* pay(charge)
        // The view can also show the key that received the payment.
        const completed = { status: "completed", terms, payments: [notice], returns: [] }
        expect(yield* processor.lookup(charge)).toMatchObject(completed)
      }
    }))

  test("shows the company, the txid and the endToEndId of a payment", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      yield* pay(charge)
      const [payment] = (yield* processor.lookup(charge)).payments
      expect(payment).toMatchObject({ issuer: company.cnpj, txid: charge.txid, amountCents: charge.amountCents })
      expect(payment?.endToEndId).toMatch(/^E[a-zA-Z0-9]{31}$/)
    }))

  test("doesn't find a charge that was never registered, or another company's charge", ({
    processor,
    company,
    otherCompany,
  }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const strangers: Array<Charge> = [
        { ...charge, issuer: otherCompany.cnpj },
        registeredPending(yield* anOrder(company), { brCode: "", ...charge }),
      ]
      for (const stranger of strangers) {
        expect(yield* processor.lookup(stranger)).toEqual({ status: "unknown", payments: [], returns: [] })
      }
    }))
}

export const cancelCases = (test: ProcessorSuiteCase): void => {
  test("cancels an active charge, and accepts repeated cancellations", ({ processor, company }) =>
    Effect.gen(function* () {
      for (const given of [{}, { dueInDays: 2 }]) {
        const charge = yield* aRegisteredCharge(processor, company, given)
        expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
        expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
        const view = yield* processor.lookup(charge)
        const { pixKey: _, ...shown } = view
        expect(shown).toEqual({ status: "removed", terms: heldTerms(charge, view), payments: [], returns: [] })
      }
    }))

  test("answers the cancellation of a paid charge with its payment", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const notice = yield* pay(charge)
      const terms = heldTerms(charge, yield* processor.lookup(charge))
      const view = { status: "completed", terms, payments: [notice], returns: [] }
      expect(yield* processor.cancel(charge)).toMatchObject({ _tag: "Paid", view })
    }))
}
