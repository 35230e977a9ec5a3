import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { listCases } from "./chargeLists/listCases.ts"
import { paymentCases } from "./chargeLists/paymentCases.ts"
import { searchCases } from "./chargeLists/searchCases.ts"
import { type StoreHooks, storeTests, type TestedPorts } from "./StoreDriver.ts"

/** What `ChargeLists` promises, run against a store. */
export const chargeListsSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: ChargeLists`, () => {
    const tests = storeTests(layer, hooks)
    listCases(tests)
    searchCases(tests)
    paymentCases(tests)
  })
}
