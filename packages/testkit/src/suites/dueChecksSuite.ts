import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { chargeCheckCases } from "./dueChecks/chargeCheckCases.ts"
import { exceptionCheckCases } from "./dueChecks/exceptionCheckCases.ts"
import { type StoreHooks, storeTests, type TestedPorts } from "./StoreDriver.ts"

/** What `DueChecks` promises, run against a store. */
export const dueChecksSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: DueChecks`, () => {
    const tests = storeTests(layer, hooks)
    describe("charges", () => chargeCheckCases(tests))
    describe("refunds of exceptions", () => exceptionCheckCases(tests))
  })
}
