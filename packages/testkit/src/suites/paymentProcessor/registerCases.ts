import type { PaymentProcessor } from "@pixcharge/core"
import { decodeBrCode } from "@pixcharge/core/brcode"
import type { Cents } from "@pixcharge/core/money"
import { parseTaxId } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect } from "vitest"
import { anOrder, aPayer, registeredPending } from "../../fixtures/Orders.ts"
import { type ProcessorSuiteCase } from "./ProcessorDriver.ts"

/** What `register` does with new orders, and with repeated ones. */
export const registerCases = (test: ProcessorSuiteCase): void => {
  test("registering returns a dynamic BR Code", ({ processor, company }) =>
    Effect.gen(function* () {
      for (const order of [yield* anOrder(company), yield* anOrder(company, { dueInDays: 3 })]) {
        const registered = yield* processor.register(order)
        expect(registered.txid).toBe(order.txid)
        expect(registered.brCode.length).toBeLessThanOrEqual(512)
        expect(Result.getOrThrow(decodeBrCode(registered.brCode)).code._tag).toBe("Dynamic")
      }
    }))

  test("different charges have different codes", ({ processor, company, otherCompany }) =>
    Effect.gen(function* () {
      const first = yield* anOrder(company)
      const codes = [
        (yield* processor.register(first)).brCode,
        (yield* processor.register(yield* anOrder(company))).brCode,
        // The id is free in every other company (decision 6).
        (yield* processor.register({ ...first, company: otherCompany })).brCode,
      ]
      expect(new Set(codes).size).toBe(3)
    }))

  test("a company of any name and city can be registered for", ({ processor, company }) =>
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

  test("registering again continues with the same charge and its first instant", ({ processor, company }) =>
    Effect.gen(function* () {
      for (const order of [yield* anOrder(company), yield* anOrder(company, { dueInDays: 3 })]) {
        const first = yield* processor.register(order)
        expect(yield* processor.register({ ...order, requestedAt: order.requestedAt + 60_000 })).toEqual(first)
      }
    }))

  test("registering several times at once makes one charge", ({ processor, company }) =>
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

  test("another amount, due date or payer under the same txid is a conflict", ({ processor, company }) =>
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

  test("a charge that was paid meanwhile is returned with its code", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      const first = yield* processor.register(order)
      yield* pay(registeredPending(order, first))
      expect(yield* processor.register(order)).toEqual(first)
    }))

  test("a removed charge is not returned again", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      yield* processor.cancel(registeredPending(order, yield* processor.register(order)))
      expect((yield* Effect.flip(processor.register(order)))._tag).toBe("ProcessorRejected")
    }))
}
