import { parseTaxId } from "@pixcharge/core/party"
import type { Cents } from "@pixcharge/core/money"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect } from "vitest"
import { anOrder, heldTerms, registeredPending } from "../../fixtures/Orders.ts"
import type { ProcessorSuiteCase } from "./ProcessorDriver.ts"

const otherPayer = { name: "Outra Pessoa", taxId: Result.getOrThrow(parseTaxId("11.222.333/0001-81")) }

/** Tests of a processor that offers changes. */
export const changeCases = (test: ProcessorSuiteCase): void => {
  test("offers changes", ({ processor, company }) =>
    Effect.gen(function* () {
      expect(yield* processor.changes(company.cnpj)).toBe("offered")
    }))

  test("changes the terms of an open charge, and keeps its code", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company, { dueInDays: 3 })
      const immediate = yield* anOrder(company)
      const { dueDate } = yield* anOrder(company, { dueInDays: 4 })
      const changes = [
        { ...order, amountCents: 1991 as Cents },
        { ...order, ...(dueDate && { dueDate }) },
        { ...order, payer: otherPayer },
        order,
        { ...immediate, amountCents: 2000 as Cents },
        { ...immediate, payableForSeconds: 7200 },
      ]
      const codes = new Map<string, string>()
      for (const one of [order, immediate]) codes.set(one.id, (yield* processor.register(one)).brCode)
      for (const terms of changes) {
        const code = codes.get(terms.id)
        expect((yield* processor.change(terms)).brCode ?? code).toBe(code)
        const registered = yield* processor.register(terms)
        expect(registered.brCode).toBe(code)
        const view = yield* processor.lookup(registeredPending(terms, registered))
        expect(view).toMatchObject({ status: "active", terms: heldTerms(terms, view) })
        const conflict = yield* Effect.flip(processor.register({ ...terms, amountCents: 1992 as Cents }))
        expect(conflict._tag).toBe("ChargeConflict")
      }
    }))

  test("accepts a repeated change, and counts changes if it shows their number", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      const charge = registeredPending(order, yield* processor.register(order))
      const revisionAtFirst = (yield* processor.lookup(charge)).terms?.revision ?? 0
      for (const amountCents of [2000, 2100, 2100]) {
        const { revision } = yield* processor.change({ ...order, amountCents: amountCents as Cents })
        const { terms } = yield* processor.lookup(charge)
        expect(terms).toMatchObject({ amountCents })
        if (revision === undefined) continue
        expect(revision).toBeGreaterThan(revisionAtFirst)
        expect(terms?.revision).toBe(revision)
      }
    }))

  test("refuses to change a paid or removed charge", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      for (const end of [pay, processor.cancel]) {
        const order = yield* anOrder(company)
        const charge = registeredPending(order, yield* processor.register(order))
        yield* end(charge)
        const other = { ...order, amountCents: 7 as Cents }
        expect((yield* Effect.flip(processor.change(other)))._tag).toBe("ProcessorRejected")
        const view = yield* processor.lookup(charge)
        expect(view.terms).toEqual(heldTerms(order, view))
      }
    }))

  test("refuses to give an immediate charge a due date", ({ processor, company }) =>
    Effect.gen(function* () {
      const dated = yield* anOrder(company, { dueInDays: 3 })
      const { dueDate: _, payer: __, ...immediate } = dated
      const charge = registeredPending(immediate, yield* processor.register(immediate))
      expect((yield* Effect.flip(processor.change(dated)))._tag).toBe("ProcessorRejected")
      const view = yield* processor.lookup(charge)
      expect(view.terms).toEqual(heldTerms(immediate, view))
    }))

  test("carries out concurrent changes one after another", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      const charge = registeredPending(order, yield* processor.register(order))
      const amounts = [2000 as Cents, 2100 as Cents, 2200 as Cents]
      yield* Effect.all(
        amounts.map((amountCents) => processor.change({ ...order, amountCents })),
        { concurrency: "unbounded" },
      )
      expect((yield* processor.lookup(charge)).terms?.amountCents).toBe(2200)
    }))
}
