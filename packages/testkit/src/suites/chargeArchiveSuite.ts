import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { archiveCases } from "./chargeArchive/archiveCases.ts"
import { type StoreHooks, storeTests, type TestedPorts } from "./StoreDriver.ts"

/** What `ChargeArchive` promises, run against a store. */
export const chargeArchiveSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: ChargeArchive`, () => {
    archiveCases(storeTests(layer, hooks))
  })
}
