import type { ChargeArchive, ChargeStore, Outbox } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type * as Scope from "effect/Scope"
import { afterAll, it } from "vitest"

/** The ports that one store's Layer provides. */
export type StorePorts = ChargeStore | Outbox | ChargeArchive

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
  readonly elapse: (ms: number) => Effect.Effect<void>
}

/** The tests of a store, each on an empty one. To be called within a `describe`. */
export const storeTests = (layer: Layer.Layer<StorePorts, unknown>, hooks: StoreHooks = {}): StoreTests => {
  const { reset, elapse = (ms: number) => Effect.sleep(ms) } = hooks
  if (reset === undefined) {
    return {
      elapse,
      test: (title, body, timeoutMs) =>
        it(
          title,
          async () => {
            await Effect.runPromise(Effect.provide(Effect.scoped(Effect.suspend(body)), Layer.fresh(layer)))
          },
          timeoutMs,
        ),
    }
  }
  const runtime = ManagedRuntime.make(layer)
  afterAll(() => runtime.dispose())
  return {
    elapse,
    test: (title, body, timeoutMs) =>
      it(
        title,
        async () => {
          await runtime.runPromise(Effect.andThen(reset, Effect.scoped(Effect.suspend(body))))
        },
        timeoutMs,
      ),
  }
}
