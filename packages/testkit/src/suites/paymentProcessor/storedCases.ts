import type { Cents } from "@pixcharge/core/money"
import { parseTaxId } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect } from "vitest"
import { anOrder, heldTerms, registeredPending } from "../../fixtures/Orders.ts"
import { type ProcessorSuiteCase } from "./ProcessorDriver.ts"

/** What `register` does with a charge that is already stored here: the stored terms win. */
export const storedCases = (test: ProcessorSuiteCase): void => {
  test("a stored charge's terms are restored, and the charge stays the same", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company, { dueInDays: 3 })
      const first = yield* processor.register(order)
      const { dueDate } = yield* anOrder(company, { dueInDays: 4 })
      const otherPayer = { name: "Outra Pessoa", taxId: Result.getOrThrow(parseTaxId("11.222.333/0001-81")) }
      const { payer: _, ...immediate } = yield* anOrder(company)
      const stored = [
        { ...order, amountCents: 1991 as Cents },
        { ...order, ...(dueDate && { dueDate }) },
        { ...order, payer: otherPayer },
        order,
      ]
      for (const terms of stored) {
        expect(yield* processor.register({ ...terms, isStored: true })).toEqual(first)
        const view = yield* processor.lookup(registeredPending(terms, first))
        expect(view.terms).toEqual(heldTerms(terms, view))
        expect(yield* processor.register(terms)).toEqual(first)
      }
      const conflict = yield* Effect.flip(processor.register({ ...order, amountCents: 1992 as Cents }))
      expect(conflict._tag).toBe("ChargeConflict")
      const firstImmediate = yield* processor.register(immediate)
      const dearer = { ...immediate, amountCents: 2000 as Cents }
      expect(yield* processor.register({ ...dearer, isStored: true })).toEqual(firstImmediate)
      const view = yield* processor.lookup(registeredPending(dearer, firstImmediate))
      expect(view.terms).toEqual(heldTerms(dearer, view))
    }))

  test("a stored charge that the processor has forgotten is registered", ({ processor, company }) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      const registered = yield* processor.register({ ...order, isStored: true })
      expect((yield* processor.lookup(registeredPending(order, registered))).status).toBe("active")
    }))

  test("the terms of a paid or removed charge can't be restored", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      for (const end of [pay, processor.cancel]) {
        const order = yield* anOrder(company)
        const charge = registeredPending(order, yield* processor.register(order))
        yield* end(charge)
        const other = { ...order, amountCents: 7 as Cents, isStored: true as const }
        expect((yield* Effect.flip(processor.register(other)))._tag).toBe("ProcessorRejected")
        const view = yield* processor.lookup(charge)
        expect(view.terms).toEqual(heldTerms(order, view))
      }
    }))

  test("concurrent calls for a stored charge and for other terms never leave the other terms", (kit) =>
    Effect.gen(function* () {
      const { processor, company } = kit
      for (let round = 0; round < 5; round++) {
        const order = yield* anOrder(company)
        const stored = { ...order, isStored: true as const }
        const other = { ...order, amountCents: 77 as Cents }
        const registrations = round % 2 === 0 ? [other, stored] : [stored, other]
        yield* Effect.all(
          registrations.map((one) => Effect.exit(processor.register(one))),
          { concurrency: "unbounded" },
        )
        const registered = yield* processor.register(order)
        const view = yield* processor.lookup(registeredPending(order, registered))
        expect(view.terms).toEqual(heldTerms(order, view))
      }
    }))
}
