import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { changedCases } from "./chargeStore/changedCases.ts"
import { commitCases } from "./chargeStore/commitCases.ts"
import { ownerCases } from "./chargeStore/ownerCases.ts"
import { insertCases } from "./chargeStore/insertCases.ts"
import { partialRefundCases } from "./chargeStore/partialRefundCases.ts"
import { paymentCases } from "./chargeStore/paymentCases.ts"
import { returnCases } from "./chargeStore/returnCases.ts"
import { returnedPaymentCases } from "./chargeStore/returnedPaymentCases.ts"
import { standingCases } from "./chargeStore/standingCases.ts"
import { unstorableCases } from "./chargeStore/unstorableCases.ts"
import { type StoreHooks, type TestedPorts, storeTests } from "./StoreDriver.ts"

/** What `ChargeStore` promises, run against a store. */
export const chargeStoreSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: ChargeStore`, () => {
    const tests = storeTests(layer, hooks)
    describe("insert and find", () => insertCases(tests))
    describe("changed", () => changedCases(tests))
    describe("owners", () => ownerCases(tests))
    describe("standings", () => standingCases(tests))
    describe("commit", () => commitCases(tests))
    describe("payments", () => paymentCases(tests))
    describe("returns", () => returnCases(tests))
    describe("payments whose money went back", () => returnedPaymentCases(tests))
    describe("partial refunds", () => partialRefundCases(tests))
    describe("what can't be stored", () => unstorableCases(tests))
  })
}
