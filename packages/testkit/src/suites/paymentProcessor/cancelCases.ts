import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aRegisteredCharge, heldTerms } from "../../fixtures/Orders.ts"
import { type ProcessorSuiteCase } from "./ProcessorDriver.ts"

/** What `cancel` does to a charge that is active, and to one that is paid. */
export const cancelCases = (test: ProcessorSuiteCase): void => {
  test("an active charge is cancelled, also repeatedly", ({ processor, company }) =>
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

  test("a paid charge can't be cancelled: the answer is its payment", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const notice = yield* pay(charge)
      const terms = heldTerms(charge, yield* processor.lookup(charge))
      const view = { status: "completed", terms, payments: [notice], returns: [] }
      expect(yield* processor.cancel(charge)).toMatchObject({ _tag: "Paid", view })
    }))
}
