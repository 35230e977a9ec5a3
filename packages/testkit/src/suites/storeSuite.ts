import type { StorePorts } from "@pixcharge/core"
import type * as Layer from "effect/Layer"
import { auditLogSuite } from "./auditLogSuite.ts"
import { chargeCountsSuite } from "./chargeCountsSuite.ts"
import { chargeListsSuite } from "./chargeListsSuite.ts"
import { chargeStoreSuite } from "./chargeStoreSuite.ts"
import { cursorSuite } from "./cursorSuite.ts"
import { dueChecksSuite } from "./dueChecksSuite.ts"
import { everyFieldSuite } from "./everyFieldSuite.ts"
import { exceptionStoreSuite } from "./exceptionStoreSuite.ts"
import { outboxSuite } from "./outboxSuite.ts"
import { payerDataSuite } from "./payerDataSuite.ts"
import { reconciliationsSuite } from "./reconciliationsSuite.ts"
import { recurrenceStoreSuite } from "./recurrenceStoreSuite.ts"
import { revokedTokensSuite } from "./revokedTokensSuite.ts"
import { separationSuite } from "./separationSuite.ts"
import type { StoreHooks } from "./StoreDriver.ts"

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
