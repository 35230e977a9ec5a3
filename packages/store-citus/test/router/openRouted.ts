import { ChargeStore, DueChecks, Outbox, Reconciliations, type StorePorts } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { onTestFinished } from "vitest"

/** Opens a store in shards with the caches of one process. It closes when the test ends. */
export const openRouted = async (layer: Layer.Layer<StorePorts, unknown>) => {
  const scope = await Effect.runPromise(Scope.make())
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const context = await Effect.runPromise(Layer.buildWithScope(Layer.fresh(layer), scope))
  return {
    context,
    store: Context.get(context, ChargeStore),
    outbox: Context.get(context, Outbox),
    checks: Context.get(context, DueChecks),
    reconciliations: Context.get(context, Reconciliations),
  }
}
