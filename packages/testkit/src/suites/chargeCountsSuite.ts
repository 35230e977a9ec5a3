import { ChargeCounts, type SlotCount } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cents, fixtureNow } from "../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../fixtures/Companies.ts"
import { aReturn } from "../fixtures/Payments.ts"
import { ages, bounds, happen, history } from "./chargeCounts/history.ts"
import { naiveCounts } from "./chargeCounts/naiveCounts.ts"
import { commitException, recordUnmatched } from "./exceptions.ts"
import { type StoreHooks, type TestedPorts, storeTests } from "./StoreDriver.ts"

const timeoutMs = 600_000
const repeated = process.env["LONG"] ? 8 : 1

const inOrder = (counts: ReadonlyArray<SlotCount>) =>
  counts.toSorted((a, b) => (a.counted < b.counted ? -1 : Number(a.counted > b.counted)) || a.slot - b.slot)

/** What `ChargeCounts` promises, tested on a store: its counts match the lists. */
export const chargeCountsSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: ChargeCounts`, () => {
    const { onEmptyStore, test } = storeTests(layer, hooks)
    // A store that is emptied between runs is a database, where each run is hundreds of statements.
    const histories = (hooks.reset === undefined ? 30 : 12) * repeated

    test("an empty period has no counts", () =>
      Effect.gen(function* () {
        const counts = yield* ChargeCounts
        expect(yield* counts.count(aCnpj, { bounds, ages, now: fixtureNow })).toEqual([])
      }))

    test("an exception is open until its whole payment has gone back", () =>
      Effect.gen(function* () {
        const counts = yield* ChargeCounts
        const open = Effect.map(counts.count(aCnpj, { bounds, ages, now: fixtureNow }), (counted) =>
          counted.flatMap((one) => (one.counted === "openException" ? [one.count] : [])),
        )
        const payment = yield* recordUnmatched({ paidAt: fixtureNow, amountCents: cents(10) })
        expect(yield* open).toEqual([1])
        for (const [version, amount, left] of [
          [0, 4, [1]],
          [1, 6, []],
        ] as const) {
          const returned = aReturn(payment, { amountCents: cents(amount), returnedAt: fixtureNow + 1 })
          yield* commitException(payment, { _tag: "Open" }, { expectedVersion: version, returns: [returned] })
          expect(yield* open).toEqual(left)
        }
      }))

    it(
      "counts what the lists show, by slot and company, for any history",
      () =>
        fc.assert(
          fc.asyncProperty(history, fc.constantFrom(0, 600_000, 200_000_000), (made, offset) =>
            onEmptyStore(
              Effect.gen(function* () {
                yield* happen(made)
                const counts = yield* ChargeCounts
                const request = { bounds, ages, now: fixtureNow + offset }
                for (const issuer of [aCnpj, anotherCnpj]) {
                  const counted = yield* counts.count(issuer, request)
                  expect(inOrder(counted)).toEqual(inOrder(yield* naiveCounts(issuer, request)))
                }
              }),
            ),
          ),
          { numRuns: histories },
        ),
      timeoutMs,
    )
  })
}
