import type * as Layer from "effect/Layer"
import { describe } from "vitest"
import { auditCases } from "./auditLog/auditCases.ts"
import { type StoreHooks, type TestedPorts, storeTests } from "./StoreDriver.ts"

/** What `AuditLog` promises of a store's own writes, run against a store. */
export const auditLogSuite = (name: string, layer: Layer.Layer<TestedPorts, unknown>, hooks: StoreHooks = {}): void => {
  describe(`${name}: AuditLog`, () => {
    auditCases(storeTests(layer, hooks))
  })
}
