import { type ClaimedReconciliation, Reconciliations } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { fixtureNow } from "../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../fixtures/Companies.ts"
import { inserted } from "./commits.ts"
import { type StoreHooks, type TestedPorts, storeTests } from "./StoreDriver.ts"

const hour = 3_600_000
const day = 24 * hour
const leaseMs = 60_000
const now = fixtureNow + day

const enter = (at = now) => Effect.flatMap(Reconciliations, (port) => port.enter(at))
const claim = (at = now) => Effect.flatMap(Reconciliations, (port) => port.claim({ now: at, leaseMs }))

const save = (claimed: ClaimedReconciliation, turn: Parameters<Reconciliations["Service"]["save"]>[1]) =>
  Effect.flatMap(Reconciliations, (port) => port.save(claimed, turn))

const claimed = Effect.fnUntraced(function* (at = now) {
  const found = yield* claim(at)
  return found ?? (yield* Effect.die(new Error("a company's turn has come")))
})

/** Enters two companies with charges. */
const entered = Effect.fnUntraced(function* (other = anotherCnpj) {
  yield* inserted({ createdAt: fixtureNow + 5 })
  yield* inserted({ createdAt: fixtureNow })
  yield* inserted({ createdAt: fixtureNow + 9, issuer: other })
  expect(yield* enter()).toBe(2)
})

/** What `Reconciliations` promises, run against a store. */
export const reconciliationsSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts | Reconciliations, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: Reconciliations`, () => {
    const { test, neighbour } = storeTests(layer, hooks)

    test("companies that have charges are entered once, as reconciled until their first one", () =>
      Effect.gen(function* () {
        expect(yield* enter()).toBe(0)
        expect(yield* claim()).toBeUndefined()
        yield* entered()
        expect(yield* enter()).toBe(0)
        const both = [yield* claimed(), yield* claimed()]
        expect(
          both.map(({ leaseToken: _, ...rest }) => rest).toSorted((a, b) => a.reconciledUntil - b.reconciledUntil),
        ).toEqual([
          { issuer: aCnpj, since: fixtureNow, reconciledUntil: fixtureNow },
          { issuer: anotherCnpj, since: fixtureNow + 9, reconciledUntil: fixtureNow + 9 },
        ])
        expect(yield* claim()).toBeUndefined()
      }))

    test("a company whose first charge comes later is entered then", () =>
      Effect.gen(function* () {
        yield* inserted()
        expect(yield* enter()).toBe(1)
        yield* inserted({ issuer: anotherCnpj })
        expect(yield* enter()).toBe(1)
      }))

    test("of many processes at once, each company goes to one", () =>
      Effect.gen(function* () {
        yield* entered()
        const all = yield* Effect.all(
          Array.from({ length: 8 }, () => claim()),
          { concurrency: "unbounded" },
        )
        const rest = yield* claim()
        const issuers = [...all, rest].flatMap((one) => (one === undefined ? [] : [one.issuer]))
        expect(issuers.toSorted()).toEqual([aCnpj, anotherCnpj].toSorted())
      }))

    test("a run is kept page by page, under the claim alone, and another process goes on with it", () =>
      Effect.gen(function* () {
        yield* inserted()
        yield* enter()
        const first = yield* claimed()
        const run = { until: now, list: "received", cursor: "página 2", hasFailed: true } as const
        expect(yield* save({ ...first, run }, { _tag: "Keep", leaseUntil: now + 2 * leaseMs })).toBe(true)
        expect(yield* claim(now + 2 * leaseMs - 1)).toBeUndefined()
        const other = yield* claimed(now + 2 * leaseMs)
        expect(other).toEqual({ ...first, run, leaseToken: other.leaseToken })
        const release = { _tag: "Release", nextAt: now } as const
        expect(yield* save(first, release)).toBe(false)
        expect(yield* save({ ...other, issuer: anotherCnpj }, release)).toBe(false)
        const next = { ...other, run: { until: now, list: "returned" } } as const
        expect(yield* save(next, release)).toBe(true)
        expect(yield* save(other, release)).toBe(false)
        const last = yield* claimed(now + 2 * leaseMs)
        expect(last).toEqual({ ...next, leaseToken: last.leaseToken })
      }))

    test("a released company comes again at its turn, reconciled as far as it was saved", () =>
      Effect.gen(function* () {
        yield* inserted()
        yield* enter()
        const { run: _, ...first } = yield* claimed()
        const done = { ...first, reconciledUntil: now, failingSince: now - day }
        expect(yield* save(done, { _tag: "Release", nextAt: now + day })).toBe(true)
        expect(yield* claim(now + day - 1)).toBeUndefined()
        const again = yield* claimed(now + day)
        expect(again).toEqual({ ...done, leaseToken: again.leaseToken })
        expect(again.leaseToken).not.toBe(first.leaseToken)
      }))

    test("the turn that came first is taken first", () =>
      Effect.gen(function* () {
        yield* entered(neighbour)
        const both = [yield* claimed(), yield* claimed()]
        for (const [at, one] of both.entries()) yield* save(one, { _tag: "Release", nextAt: now + hour - at })
        const order = [yield* claimed(now + hour), yield* claimed(now + hour)]
        expect(order.map(({ issuer }) => issuer)).toEqual(both.map(({ issuer }) => issuer).toReversed())
      }))

    test("a turn that was planned by a clock which ran ahead delays no company", () =>
      Effect.gen(function* () {
        yield* inserted()
        yield* enter()
        const ahead = now + 30 * day
        const first = yield* claimed(ahead)
        expect((yield* claimed(now)).issuer).toBe(first.issuer)
        for (const nextAt of [ahead + day, now + hour]) {
          const held = yield* claimed(now + leaseMs)
          yield* save({ ...held, reconciledUntil: ahead }, { _tag: "Release", nextAt })
        }
        expect((yield* claimed(now + leaseMs)).reconciledUntil).toBe(ahead)
      }))
  })
}
