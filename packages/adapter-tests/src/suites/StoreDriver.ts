import type { RevokedTokens, StorePorts, StoreUnavailable } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type * as Scope from "effect/Scope"
import { afterAll, expect, it } from "vitest"
import { anotherCnpj } from "../fixtures/Companies.ts"

/** The ports that the suites of charges and deliveries test together. */
export type TestedPorts = Exclude<StorePorts, RevokedTokens>

export interface StoreHooks {
  /**
   * Empties the store. With this hook, one Layer serves a whole suite and is emptied before each test. By default, each test
   * builds a store, which must be empty.
   */
  readonly reset?: Effect.Effect<void, unknown>
  /** Lets time pass on the store's own clock, which leases use; by default by waiting. */
  readonly elapse?: (ms: number) => Effect.Effect<void>
  /**
   * A second company. The store must order its claims together with the claims of `aCnpj` by waiting time. A sharded store does so
   * only within a shard; other stores need no `neighbour`.
   */
  readonly neighbour?: Cnpj
}

export interface StoreTests<R = TestedPorts> {
  readonly test: <A, E>(title: string, body: () => Effect.Effect<A, E, R | Scope.Scope>, timeoutMs?: number) => void
  /** Runs an effect on an empty store. */
  readonly onEmptyStore: <A, E>(body: Effect.Effect<A, E, R | Scope.Scope>) => Promise<A>
  readonly elapse: (ms: number) => Effect.Effect<void>
  readonly neighbour: Cnpj
}

const onEmptyStores = <R>(
  layer: Layer.Layer<R, unknown>,
  reset: StoreHooks["reset"],
): StoreTests<R>["onEmptyStore"] => {
  if (reset === undefined) {
    return (body) => Effect.runPromise(Effect.provide(Effect.scoped(body), Layer.fresh(layer)))
  }
  const runtime = ManagedRuntime.make(layer)
  afterAll(() => runtime.dispose())
  return (body) => runtime.runPromise(Effect.andThen(reset, Effect.scoped(body)))
}

/** Makes the tests of a store, each on an empty store. Call it within a `describe`. */
export const storeTests = <R>(layer: Layer.Layer<R, unknown>, hooks: StoreHooks = {}): StoreTests<R> => {
  const { reset, elapse = (ms: number) => Effect.sleep(ms), neighbour = anotherCnpj } = hooks
  const onEmptyStore = onEmptyStores(layer, reset)
  return {
    onEmptyStore,
    elapse,
    neighbour,
    test: (title, body, timeoutMs) => it(title, () => onEmptyStore(Effect.asVoid(Effect.suspend(body))), timeoutMs),
  }
}

/** Strings that no store accepts: with a NUL, or with half of a surrogate pair. */
export const unstorableTexts = ["conta\0encerrada", "saldo \ud83e", "\udd9c saldo"]

/** Times that no store accepts. */
export const unstorableMoments = [Number.NaN, Number.POSITIVE_INFINITY, -8.64e15]

/** Amounts that no store accepts. */
export const unstorableAmounts = [Number.NaN, 0.5, 1e21]

/** Expects a `StoreUnavailable` that a retry wouldn't avoid. */
export const isRefused = Effect.fnUntraced(function* <A, R>(write: Effect.Effect<A, StoreUnavailable, R>) {
  const failure = yield* Effect.flip(write)
  expect(failure).toMatchObject({ _tag: "StoreUnavailable", isRefused: true })
})
