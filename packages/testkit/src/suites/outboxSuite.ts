import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { claimCases } from "./outbox/claimCases.ts"
import { operationCases } from "./outbox/operationCases.ts"
import { leaseCases } from "./outbox/leaseCases.ts"
import { orderCases } from "./outbox/orderCases.ts"
import { replayCases } from "./outbox/replayCases.ts"
import { settleCases } from "./outbox/settleCases.ts"
import { type StoreHooks, type TestedPorts, storeTests } from "./StoreDriver.ts"

/** What `Outbox` promises, run against a store. */
export const outboxSuite = (name: string, layer: Layer.Layer<TestedPorts, unknown>, hooks: StoreHooks = {}): void => {
  describe(`${name}: Outbox`, () => {
    const tests = storeTests(layer, hooks)
    describe("claim", () => claimCases(tests))
    describe("leases", () => leaseCases(tests))
    describe("settle", () => settleCases(tests))
    describe("order and supersession", () => orderCases(tests))
    describe("lists, replay and purge", () => operationCases(tests))
    describe("replay beside a refund", () => replayCases(tests))
  })
}
