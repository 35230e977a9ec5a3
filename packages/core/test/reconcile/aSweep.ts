import { DueChecks, Reconciliations } from "@pixcharge/core"
import { defaultKinds } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type { RecordPage } from "../../src/services/reconcile/recordPage.ts"
import { Sweep } from "../../src/services/reconcile/sweep.ts"

export const emptyPage = { listed: [], payments: 0, returns: 0, unnamed: [], failed: 0, unreadable: 0 }

export const aSweep = Effect.fnUntraced(function* (
  recordPage: RecordPage,
  changed: Partial<Reconciliations["Service"]> = {},
) {
  const reconciliations = { ...(yield* Reconciliations), ...changed }
  return new Sweep(
    { dueChecks: yield* DueChecks, reconciliations, published: defaultKinds, isListed: true },
    recordPage,
  )
})
