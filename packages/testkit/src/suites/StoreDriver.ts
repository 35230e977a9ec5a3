import type { ChargeArchive, ChargeStore, Outbox, Reconciliations } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type * as Scope from "effect/Scope"
import { afterAll, it } from "vitest"

/** The ports that one store's Layer provides. */
export type StorePorts = ChargeStore | Outbox | ChargeArchive | Reconciliations

/** What a suite must be told of a store. */
export interface StoreHooks {
  /**
   * Empties the store. With it, one Layer serves a whole suite and is emptied before each test; without it, each test
   * builds a store of its own, which must then be empty.
   */
  readonly reset?: Effect.Effect<void, unknown>
  /** Lets so much time pass on the store's own clock, on which leases run; by default, by waiting for it. */
  readonly elapse?: (ms: number) => Effect.Effect<void>
}

export interface StoreTests {
  readonly test: <A, E>(
    title: string,
    body: () => Effect.Effect<A, E, StorePorts | Scope.Scope>,
    timeoutMs?: number,
  ) => void
  /** Runs an effect on a store that is empty when it begins. */
  readonly onEmptyStore: <A, E>(body: Effect.Effect<A, E, StorePorts | Scope.Scope>) => Promise<A>
  readonly elapse: (ms: number) => Effect.Effect<void>
}

const onEmptyStores = (
  layer: Layer.Layer<StorePorts, unknown>,
  reset: StoreHooks["reset"],
): StoreTests["onEmptyStore"] => {
  if (reset === undefined) {
    return (body) => Effect.runPromise(Effect.provide(Effect.scoped(body), Layer.fresh(layer)))
  }
  const runtime = ManagedRuntime.make(layer)
  afterAll(() => runtime.dispose())
  return (body) => runtime.runPromise(Effect.andThen(reset, Effect.scoped(body)))
}

/** The tests of a store, each on an empty one. To be called within a `describe`. */
export const storeTests = (layer: Layer.Layer<StorePorts, unknown>, hooks: StoreHooks = {}): StoreTests => {
  const { reset, elapse = (ms: number) => Effect.sleep(ms) } = hooks
  const onEmptyStore = onEmptyStores(layer, reset)
  return {
    onEmptyStore,
    elapse,
    test: (title, body, timeoutMs) => it(title, () => onEmptyStore(Effect.asVoid(Effect.suspend(body))), timeoutMs),
  }
}
