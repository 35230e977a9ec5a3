import type { StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"

/** Texts that no store accepts: with a NUL, or with half of a surrogate pair. */
export const unstorableTexts = ["conta\0encerrada", "saldo \ud83e", "\udd9c saldo"]

/** Moments that no store accepts. */
export const unstorableMoments = [Number.NaN, Number.POSITIVE_INFINITY, -8.64e15]

/** Amounts that no store accepts. */
export const unstorableAmounts = [Number.NaN, 0.5, 1e21]

/** Expects a failure with `StoreUnavailable` that asks nobody to make the same call again. */
export const isRefused = Effect.fnUntraced(function* <A, R>(write: Effect.Effect<A, StoreUnavailable, R>) {
  const failure = yield* Effect.flip(write)
  expect(failure).toMatchObject({ _tag: "StoreUnavailable", isRefused: true })
})
