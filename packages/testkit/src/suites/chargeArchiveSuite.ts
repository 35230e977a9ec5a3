import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { archiveCases } from "./chargeArchive/archiveCases.ts"
import { checkCases } from "./chargeArchive/checkCases.ts"
import { exceptionCases } from "./chargeArchive/exceptionCases.ts"
import { listCases } from "./chargeArchive/listCases.ts"
import { payerCases } from "./chargeArchive/payerCases.ts"
import { type StoreHooks, type StorePorts, storeTests } from "./StoreDriver.ts"

/** What `ChargeArchive` promises, run against a store of anybody's making. */
export const chargeArchiveSuite = (
  name: string,
  layer: Layer.Layer<StorePorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: ChargeArchive`, () => {
    const tests = storeTests(layer, hooks)
    describe("lists", () => listCases(tests))
    describe("exceptions", () => exceptionCases(tests))
    describe("payers", () => payerCases(tests))
    describe("archive", () => archiveCases(tests))
    describe("checks", () => checkCases(tests))
  })
}
