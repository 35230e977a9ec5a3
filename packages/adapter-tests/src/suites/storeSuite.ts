import type { StorePorts } from "@pixcharge/core"
import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { type StoreHooks, storeTests, type TestedPorts } from "./StoreDriver.ts"
import { auditLogSuite } from "./auditLogSuite.ts"
import { chargeCountsSuite } from "./chargeCounts/chargeCountsSuite.ts"
import { chargeListsSuite } from "./chargeLists/chargeListsSuite.ts"
import { chargeStoreSuite, insertCases, unstorableCases } from "./chargeStore/chargeStoreSuite.ts"
import { commitCases } from "./chargeStore/commitCases.ts"
import { paymentCases } from "./chargeStore/paymentCases.ts"
import { changedCases, ownerCases, standingCases } from "./chargeStore/readCases.ts"
import { unmatchedCases } from "./chargeStore/unmatchedCases.ts"
import { cursorSuite } from "./cursorSuite.ts"
import { dueChecksSuite } from "./dueChecks/dueChecksSuite.ts"
import { exceptionCheckCases } from "./dueChecks/exceptionCheckCases.ts"
import { everyFieldSuite } from "./everyField/everyFieldSuite.ts"
import { exceptionStoreSuite } from "./exceptionStore/exceptionStoreSuite.ts"
import { leaseCases } from "./outbox/leaseCases.ts"
import { claimCases, outboxSuite } from "./outbox/outboxSuite.ts"
import { payerDataSuite } from "./payerDataSuite.ts"
import { reconciliationsSuite } from "./reconciliationsSuite.ts"
import { checkCases } from "./recurrenceStore/checkCases.ts"
import { recurrenceStoreSuite } from "./recurrenceStore/recurrenceStoreSuite.ts"
import { revokedTokensSuite } from "./revokedTokensSuite.ts"
import { separationSuite } from "./separation/separationSuite.ts"

/** The suites of all ports that a store provides. */
export const storeSuite = (name: string, layer: Layer.Layer<StorePorts, unknown>, hooks: StoreHooks = {}): void => {
  everyFieldSuite(name, layer, hooks)
  chargeStoreSuite(name, layer, hooks)
  outboxSuite(name, layer, hooks)
  chargeListsSuite(name, layer, hooks)
  chargeCountsSuite(name, layer, hooks)
  cursorSuite(name, layer, hooks)
  exceptionStoreSuite(name, layer, hooks)
  dueChecksSuite(name, layer, hooks)
  payerDataSuite(name, layer, hooks)
  reconciliationsSuite(name, layer, hooks)
  recurrenceStoreSuite(name, layer, hooks)
  revokedTokensSuite(name, layer, hooks)
  auditLogSuite(name, layer, hooks)
  separationSuite(name, layer, hooks)
}

/**
 * The suite of every field, and the tests of `storeSuite` with several companies: calls for several or all companies, payments
 * that two companies claim, and companies whose steps alternate. It is for a store that keeps companies in different places:
 * each place passes `storeSuite`.
 */
export const spanningSuite = (name: string, layer: Layer.Layer<TestedPorts, unknown>, hooks: StoreHooks = {}): void => {
  everyFieldSuite(name, layer, hooks)
  describe(`${name}: calls of several companies`, () => {
    const tests = storeTests(layer, hooks)
    describe("changed", () => changedCases(tests))
    describe("owners", () => ownerCases(tests))
    describe("standings", () => standingCases(tests))
    describe("payments", () => {
      paymentCases(tests)
      unmatchedCases(tests)
    })
    describe("claim", () => claimCases(tests))
    describe("leases", () => leaseCases(tests))
    describe("checks of refunds", () => exceptionCheckCases(tests))
    describe("checks of recurrences", () => checkCases(tests))
  })
  separationSuite(name, layer, hooks)
}

/**
 * The tests of `chargeStoreSuite` that can fail over a different connection to the same database: written and read values, many
 * rows, refusals of the database, and concurrent changes. The store must have passed the whole suite on a database of the same
 * kind.
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
    describe("unstorable values", () => unstorableCases(tests))
  })
}
