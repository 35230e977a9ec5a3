import { type ChargeId, type Cnpj, StoreUnavailable } from "@pixcharge/core"
import { aChargeId, aCnpj } from "@pixcharge/testkit/fixtures"
import { it } from "@pixcharge/testkit/suites"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import type { Finder } from "../src/hub/makeFinder.ts"
import { type Hub, makeHub } from "../src/hub/makeHub.ts"
import type { ChargePlace, Found, Reader } from "../src/hub/Watched.ts"

const place = (issuer: string = aCnpj): ChargePlace => ({ issuer: issuer as Cnpj, id: aChargeId() as ChargeId })

const foundAs = (id: string) => ({ state: { id, snapshot: { isFinal: false } } }) as Found
const found = foundAs("a")

/** A stream that lives for ever. */
const reader: Reader = { stream: { send: () => undefined, end: () => undefined } as never, expiresAt: Infinity }

/** A hub whose look-ups take so long, and fail or not; and when each of them began, for how many charges. */
const openHub = Effect.gen(function* () {
  const store = { tookMs: 0, isDown: false, down: new Set<string>(), told: undefined as Found | undefined }
  const lookUps: Array<{ readonly at: number; readonly count: number }> = []
  const finder: Finder = {
    changed: Effect.fnUntraced(function* (all) {
      lookUps.push({ at: yield* Clock.currentTimeMillis, count: all.length })
      yield* Effect.sleep(store.tookMs)
      if (store.isDown || all.some((one) => store.down.has(one.place.issuer)))
        return yield* new StoreUnavailable({ operation: "changed", cause: "HTTP 503" })
      return all.flatMap((one) => {
        const anew = one.found === undefined ? found : store.told
        return anew === undefined ? [] : [[one, anew] as const]
      })
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

/** The charges' states as each of them is answered, or what it fails with. */
const presentAll = (hub: Hub, places: ReadonlyArray<ChargePlace>) =>
  Effect.forEach(
    places,
    (one) =>
      Effect.map(Effect.result(hub.present(one)), (answer) =>
        answer._tag === "Success" ? "found" : answer.failure.cause,
      ),
    { concurrency: "unbounded" },
  )

describe("a look-up that fails", () => {
  const companies = Array.from({ length: 20 }, (_, at) => place(`company ${at}`))

  it.effect("is repeated for each company by itself, eight at once, so that only those fail that can't be asked", () =>
    Effect.gen(function* () {
      const { hub, store, lookUps } = yield* openHub
      store.tookMs = 100
      store.down.add("company 3").add("company 19")
      const asked = yield* Effect.forkChild(presentAll(hub, companies))
      yield* pass(1_000)
      const answers = yield* Fiber.join(asked)
      expect(answers.flatMap((answer, at) => (answer === "found" ? [] : [at]))).toEqual([3, 19])
      // The first that comes is looked up alone; those that came meanwhile all together, in vain, and then apart.
      const together = lookUps.findIndex(({ count }) => count === 19)
      const apart = lookUps.slice(together + 1, together + 20)
      expect(apart.map(({ at, count }) => (at - (apart[0]?.at ?? 0)) * count)).toEqual([
        ...Array<number>(8).fill(0),
        ...Array<number>(8).fill(100),
        ...Array<number>(3).fill(200),
      ])
    }),
  )

  it.effect("of one company is not repeated at once, and those who wait are told why", () =>
    Effect.gen(function* () {
      const { hub, store, lookUps } = yield* openHub
      store.isDown = true
      expect(yield* presentAll(hub, [place()])).toEqual(["HTTP 503"])
      expect(lookUps).toHaveLength(1)
    }),
  )

  it.effect("for the first eight companies has failed for all", () =>
    Effect.gen(function* () {
      const { hub, store, lookUps } = yield* openHub
      store.tookMs = 100
      store.isDown = true
      const asked = yield* Effect.forkChild(presentAll(hub, companies))
      yield* pass(1_000)
      expect(new Set(yield* Fiber.join(asked))).toEqual(new Set(["HTTP 503"]))
      expect(lookUps.map(({ count }) => count)).toEqual([1, 19, 1, 1, 1, 1, 1, 1, 1, 1])
    }),
  )

  it.effect("because the hub ends tells those who wait that the checkout has ended", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { hub, store } = yield* Scope.provide(openHub, scope)
      store.tookMs = 1_000
      const asked = yield* Effect.forkChild(presentAll(hub, companies))
      yield* pass(500)
      yield* Scope.close(scope, Exit.void)
      expect(new Set(yield* Fiber.join(asked))).toEqual(new Set(["the checkout has ended"]))
    }),
  )
})

describe("a page", () => {
  it.effect("is told of another state, and of none that it knows", () =>
    Effect.gen(function* () {
      const { hub, store } = yield* openHub
      const watched = place()
      const told: Array<string> = []
      const send = (bytes: Uint8Array) => void told.push(new TextDecoder().decode(bytes))
      yield* hub.present(watched)
      hub.follow(watched, { stream: { send, end: () => undefined } as never, expiresAt: Infinity })
      store.told = found
      yield* pass(3_000)
      expect(told).toEqual([])
      store.told = foundAs("b")
      yield* pass(3_000)
      expect(told).toEqual([expect.stringMatching(/^event: estado\nid: b\n/)])
    }),
  )
})
