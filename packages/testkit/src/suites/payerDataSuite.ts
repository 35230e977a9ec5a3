import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { payerCases } from "./payerData/payerCases.ts"
import { recurrenceCases } from "./payerData/recurrenceCases.ts"
import { type StoreHooks, storeTests, type TestedPorts } from "./StoreDriver.ts"

/** What `PayerData` promises, run against a store. */
export const payerDataSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: PayerData`, () => {
    payerCases(storeTests(layer, hooks))
    recurrenceCases(storeTests(layer, hooks))
  })
}
