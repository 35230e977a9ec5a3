import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { chargeCases } from "./everyField/chargeCases.ts"
import { recurrenceCases } from "./everyField/recurrenceCases.ts"
import { type StoreHooks, storeTests, type TestedPorts } from "./StoreDriver.ts"

/**
 * That a store keeps every field of what it is given, and returns it by every call: each value has all of its fields, and one that
 * lacks a field doesn't compile.
 */
export const everyFieldSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: fields`, () => {
    const tests = storeTests(layer, hooks)
    chargeCases(tests)
    recurrenceCases(tests)
  })
}
