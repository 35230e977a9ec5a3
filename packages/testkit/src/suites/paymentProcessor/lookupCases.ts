import type { Charge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { anOrder, aRegisteredCharge, heldTerms, registeredPending } from "../../fixtures/Orders.ts"
import { type ProcessorSuiteCase } from "./ProcessorDriver.ts"

/** What `lookup` says of a charge. */
export const lookupCases = (test: ProcessorSuiteCase): void => {
  test("a charge is active, and completed with its payment", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      for (const given of [{}, { dueInDays: 2 }]) {
        const charge = yield* aRegisteredCharge(processor, company, given)
        const view = yield* processor.lookup(charge)
        const terms = heldTerms(charge, view)
        // It may also show the key that is paid.
        const { pixKey = company.pixKey, ...shown } = view
        expect([shown, pixKey]).toEqual([{ status: "active", terms, payments: [], returns: [] }, company.pixKey])
        const notice = yield* pay(charge)
        // It may also show the key that received the payment.
        const completed = { status: "completed", terms, payments: [notice], returns: [] }
        expect(yield* processor.lookup(charge)).toMatchObject(completed)
      }
    }))

  test("a payment names its company, its charge and its id in the instant-payment system", ({
    processor,
    company,
    pay,
  }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      yield* pay(charge)
      const [payment] = (yield* processor.lookup(charge)).payments
      expect(payment).toMatchObject({ issuer: company.cnpj, txid: charge.txid, amountCents: charge.amountCents })
      expect(payment?.endToEndId).toMatch(/^E[a-zA-Z0-9]{31}$/)
    }))

  test("a charge that was never registered is unknown, also to another company", ({
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
