import { RevokedTokens } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { fixtureNow } from "../fixtures/Charges.ts"
import { type StoreHooks, type TestedPorts, storeTests } from "./StoreDriver.ts"

const hour = 3_600_000
const [first, second] = ["0e4c8a5e-4a07-4a3f-9d0c-2f5f0f6f7a01", "0e4c8a5e-4a07-4a3f-9d0c-2f5f0f6f7a02"]

const revoke = (id: string, until: number, now = fixtureNow) =>
  Effect.flatMap(RevokedTokens, (port) => port.revoke({ id, until, now }))

const listRevoked = (now = fixtureNow) =>
  Effect.map(
    Effect.flatMap(RevokedTokens, (port) => port.list(now)),
    (ids) => ids.toSorted(),
  )

/** Tests of a store's `RevokedTokens`. */
export const revokedTokensSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts | RevokedTokens, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: RevokedTokens`, () => {
    const { test } = storeTests(layer, hooks)

    test("lists a revoked token until it expires", () =>
      Effect.gen(function* () {
        expect(yield* listRevoked()).toEqual([])
        yield* revoke(first, fixtureNow + hour)
        yield* revoke(second, fixtureNow + 2 * hour)
        expect(yield* listRevoked()).toEqual([first, second])
        expect(yield* listRevoked(fixtureNow + hour - 1)).toEqual([first, second])
        expect(yield* listRevoked(fixtureNow + hour)).toEqual([second])
        expect(yield* listRevoked(fixtureNow + 2 * hour)).toEqual([])
      }))

    test("keeps a token that was revoked twice until the later expiry", () =>
      Effect.gen(function* () {
        for (const until of [fixtureNow + hour, fixtureNow + 2 * hour, fixtureNow]) yield* revoke(first, until)
        expect(yield* listRevoked(fixtureNow + 2 * hour - 1)).toEqual([first])
        expect(yield* listRevoked(fixtureNow + 2 * hour)).toEqual([])
      }))

    test("removes expired tokens when a further token is revoked, and lets them be revoked again", () =>
      Effect.gen(function* () {
        yield* revoke(first, fixtureNow + hour)
        yield* revoke(second, fixtureNow + 2 * hour, fixtureNow + hour)
        // A clock that was set back shows what is still stored.
        expect(yield* listRevoked()).toEqual([second])
        yield* revoke(second, fixtureNow + 3 * hour, fixtureNow + 2 * hour)
        expect(yield* listRevoked(fixtureNow + 2 * hour)).toEqual([second])
      }))

    test("revokes many tokens concurrently", () =>
      Effect.gen(function* () {
        const ids = Array.from({ length: 20 }, (_, index) => `${first}-${10 + index}`)
        yield* Effect.forEach(ids, (id, index) => revoke(id, fixtureNow + index, fixtureNow + 5), {
          concurrency: "unbounded",
        })
        expect(yield* listRevoked(fixtureNow + 5)).toEqual(ids.slice(6))
      }))
  })
}
