import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { commitCases } from "./chargeStore/commitCases.ts"
import { insertCases } from "./chargeStore/insertCases.ts"
import { unstorableCases } from "./chargeStore/unstorableCases.ts"
import { everyFieldSuite } from "./everyFieldSuite.ts"
import { type StoreHooks, type TestedPorts, storeTests } from "./StoreDriver.ts"

/**
 * The cases of `chargeStoreSuite` that another connection to the same database can fail: values that are written and read back, many
 * rows, what the database refuses, and changes at once. Its statements must have passed the whole suite on a database of the same kind.
 */
export const storedValuesSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  everyFieldSuite(name, layer, hooks)
  describe(`${name}: stored values`, () => {
    const tests = storeTests(layer, hooks)
    describe("insert and find", () => insertCases(tests))
    describe("commit", () => commitCases(tests))
    describe("what can't be stored", () => unstorableCases(tests))
  })
}
