import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { changedCases } from "./chargeStore/changedCases.ts"
import { ownerCases } from "./chargeStore/ownerCases.ts"
import { paymentCases } from "./chargeStore/paymentCases.ts"
import { exceptionCheckCases } from "./dueChecks/exceptionCheckCases.ts"
import { standingCases } from "./chargeStore/standingCases.ts"
import { claimCases } from "./outbox/claimCases.ts"
import { leaseCases } from "./outbox/leaseCases.ts"
import { checkCases } from "./recurrenceStore/checkCases.ts"
import { separationSuite } from "./separationSuite.ts"
import { everyFieldSuite } from "./everyFieldSuite.ts"
import { type StoreHooks, storeTests, type TestedPorts } from "./StoreDriver.ts"

/**
 * The cases of `storeSuite` in which companies meet, beside those of every field: calls for several of them or for all, payments that two of them claim, and
 * their lives side by side. For a store that has companies in different places, each of which passes `storeSuite`.
 */
export const spanningSuite = (name: string, layer: Layer.Layer<TestedPorts, unknown>, hooks: StoreHooks = {}): void => {
  everyFieldSuite(name, layer, hooks)
  describe(`${name}: calls of several companies`, () => {
    const tests = storeTests(layer, hooks)
    describe("changed", () => changedCases(tests))
    describe("owners", () => ownerCases(tests))
    describe("standings", () => standingCases(tests))
    describe("payments", () => paymentCases(tests))
    describe("claim", () => claimCases(tests))
    describe("leases", () => leaseCases(tests))
    describe("checks of refunds", () => exceptionCheckCases(tests))
    describe("checks of recurrences", () => checkCases(tests))
  })
  separationSuite(name, layer, hooks)
}
