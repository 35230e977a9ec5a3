import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { checkCases } from "./recurrenceStore/checkCases.ts"
import { commitCases } from "./recurrenceStore/commitCases.ts"
import { cycleCases } from "./recurrenceStore/cycleCases.ts"
import { offerCases } from "./recurrenceStore/offerCases.ts"
import { unstorableCases } from "./recurrenceStore/unstorableCases.ts"
import { type StoreHooks, storeTests, type TestedPorts } from "./StoreDriver.ts"

/** What `RecurrenceStore` promises, run against a store. */
export const recurrenceStoreSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: RecurrenceStore`, () => {
    const tests = storeTests(layer, hooks)
    offerCases(tests)
    commitCases(tests)
    cycleCases(tests)
    checkCases(tests)
    unstorableCases(tests)
  })
}
