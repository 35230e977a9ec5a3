import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { exceptionCases } from "./exceptionStore/exceptionCases.ts"
import { type StoreHooks, storeTests, type TestedPorts } from "./StoreDriver.ts"

/** What `ExceptionStore` promises, run against a store. */
export const exceptionStoreSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: ExceptionStore`, () => {
    exceptionCases(storeTests(layer, hooks))
  })
}
