import { type ChargeId, StoreUnavailable } from "@pixcharge/core"
import { aChargeId, aCnpj } from "@pixcharge/testkit/fixtures"
import { it } from "@pixcharge/testkit/suites"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import type { Finder } from "../src/hub/makeFinder.ts"
import { makeHub } from "../src/hub/makeHub.ts"
import type { ChargePlace, Found, Reader } from "../src/hub/Watched.ts"

const place = (): ChargePlace => ({ issuer: aCnpj, id: aChargeId() as ChargeId })

const found = { state: { id: "a", snapshot: { isFinal: false } } } as Found

/** A stream that lives for ever. */
const reader: Reader = { stream: { send: () => undefined, end: () => undefined } as never, expiresAt: Infinity }

/** A hub whose look-ups take so long, and fail or not; and when each of them began, for how many charges. */
const openHub = Effect.gen(function* () {
  const store = { tookMs: 0, isDown: false }
  const lookUps: Array<{ readonly at: number; readonly count: number }> = []
  const finder: Finder = {
    changed: Effect.fnUntraced(function* (all) {
      lookUps.push({ at: yield* Clock.currentTimeMillis, count: all.length })
      yield* Effect.sleep(store.tookMs)
      if (store.isDown) return yield* new StoreUnavailable({ operation: "changed", cause: "HTTP 503" })
      return all.filter((one) => one.found === undefined).map((one) => [one, found] as const)
    }),
    aged: () => Effect.succeed([]),
  }
  return { store, lookUps, hub: yield* makeHub(finder) }
})

/** In steps, so that what ends within one goes on in its turn. */
const pass = (ms: number) =>
  Effect.gen(function* () {
    for (let left = ms; left > 0; left -= 100) yield* TestClock.adjust(Math.min(left, 100))
  })

/** From the beginning of each look-up to the next. */
const gaps = (lookUps: ReadonlyArray<{ readonly at: number }>): ReadonlyArray<number> =>
  lookUps.slice(1).map(({ at }, nth) => at - (lookUps[nth]?.at ?? 0))

/** A hub with one open page, whose look-ups so far are forgotten. */
const openPage = Effect.gen(function* () {
  const opened = yield* openHub
  const watched = place()
  yield* opened.hub.present(watched)
  opened.hub.follow(watched, reader)
  yield* pass(1_000)
  opened.lookUps.length = 0
  return opened
})

describe("the rounds of a hub", () => {
  it.effect("are a second apart where they take no time", () =>
    Effect.gen(function* () {
      const { lookUps } = yield* openPage
      yield* pass(4_000)
      expect(gaps(lookUps)).toEqual([1_000, 1_000, 1_000])
    }),
  )

  it.effect("rest ten times as long as they take, and ten seconds at most", () =>
    Effect.gen(function* () {
      const { store, lookUps } = yield* openPage
      store.tookMs = 300
      yield* pass(8_000)
      expect(gaps(lookUps)).toEqual([3_300, 3_300])
      store.tookMs = 5_000
      yield* pass(15_000)
      lookUps.length = 0
      yield* pass(40_000)
      expect(gaps(lookUps).slice(-1)).toEqual([15_000])
    }),
  )

  it.effect("rest for four seconds while they fail, and for one once they don't; each outage is logged once", () => {
    const logged: Array<unknown> = []
    return Effect.gen(function* () {
      const { store, lookUps } = yield* openPage
      for (const outages of [1, 2]) {
        lookUps.length = 0
        store.isDown = true
        yield* pass(10_000)
        expect(gaps(lookUps)).toEqual([4_000, 4_000])
        expect(logged).toHaveLength(outages)
        lookUps.length = 0
        store.isDown = false
        yield* pass(6_000)
        expect(gaps(lookUps).slice(0, 2)).toEqual([1_000, 1_000])
      }
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
  })

  it.effect("go on for eight seconds after a page has asked, and begin anew when it asks again", () =>
    Effect.gen(function* () {
      const { hub, lookUps } = yield* openHub
      const asked = place()
      yield* hub.present(asked)
      yield* pass(60_000)
      const last = lookUps.at(-1)?.at ?? 0
      expect(last).toBeGreaterThanOrEqual(7_000)
      expect(last).toBeLessThan(8_000)
      const count = lookUps.length
      yield* hub.present(asked)
      expect(lookUps.length).toBeGreaterThan(count)
    }),
  )
})

describe("a hub that 20 000 pages ask", () => {
  it.effect("watches no more for pages that only ask, and looks those up each time", () =>
    Effect.gen(function* () {
      const { hub, lookUps } = yield* openHub
      const places = Array.from({ length: 20_001 }, place)
      yield* Effect.forEach(places, hub.present, { concurrency: "unbounded", discard: true })
      yield* pass(2_000)
      expect(lookUps.at(-1)?.count).toBe(20_000)
      const before = lookUps.length
      yield* hub.present(places[19_999] ?? place())
      expect(lookUps).toHaveLength(before)
      yield* hub.present(places[20_000] ?? place())
      expect(lookUps.slice(before).map(({ count }) => count)).toEqual([1])
    }),
  )
})
