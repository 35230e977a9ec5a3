import { StoreUnavailable } from "@pixcharge/core"
import type { ChargeId } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { aChargeId, aCnpj, anotherCnpj } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import type { Finder } from "../src/hub/Finder.ts"
import { makeHub } from "../src/hub/makeHub.ts"
import type { ItemKey, Found, Reader } from "../src/hub/WatchedItems.ts"

const key = (issuer: string = aCnpj): ItemKey => ({ issuer: issuer as Cnpj, id: aChargeId() as ChargeId })

const foundAs = (id: string, isFinal = false) => ({ state: { id, snapshot: { isFinal } } }) as Found

const open = foundAs("open")
const expired = foundAs("expired")

const reading = (expiresAt = Infinity) => {
  const received: Array<string> = []
  const send = (bytes: Uint8Array): void => {
    const { id, agora } = JSON.parse(/^data: (.*)$/m.exec(new TextDecoder().decode(bytes))?.[1] ?? "{}")
    received.push(`${id} at ${agora}`)
  }
  const reader: Reader = { stream: { send, end: () => void received.push("end") } as never, expiresAt }
  return { reader, received }
}

const { reader } = reading()

/** Makes a hub whose look-ups have a chosen duration and outcome, and records each look-up. */
const openHub = Effect.gen(function* () {
  const store = {
    tookMs: 0,
    isDown: false,
    hasEnded: false,
    down: new Set<string>(),
    state: open,
    /** Whether open charges have expired. */
    isOver: false,
    isMissing: (_: ItemKey): boolean => false,
  }
  const lookUps: Array<{ readonly at: number; readonly count: number }> = []
  const finder: Finder = {
    findChanged: Effect.fnUntraced(function* (all) {
      lookUps.push({ at: yield* Clock.currentTimeMillis, count: all.length })
      yield* Effect.sleep(store.tookMs)
      if (store.hasEnded) return yield* Effect.interrupt
      if (store.isDown || all.some(({ key: { issuer } }) => store.down.has(issuer)))
        return yield* new StoreUnavailable({ operation: "changed", cause: "HTTP 503" })
      const isChanged = (one: (typeof all)[0]) => one.found !== store.state && !store.isMissing(one.key)
      return all.filter(isChanged).map((one) => [one, store.state] as const)
    }),
    findAged: (all) =>
      Effect.sync(() =>
        all.filter(({ found }) => store.isOver && found === open).map((one) => [one, expired] as const),
      ),
  }
  const testClock = yield* Clock.Clock
  let movedMs = 0
  const now = () => testClock.currentTimeMillisUnsafe() + movedMs
  const clock: Clock.Clock = Object.assign(Object.create(testClock), {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
  })
  const hub = yield* Effect.provideService(makeHub(finder), Clock.Clock, clock)
  const answers: Array<string> = []
  const ask = (name: string, polled: ItemKey) => {
    const note = (answer: unknown) => Effect.sync(() => void answers.push(`${name}: ${answer} at ${now()}`))
    return hub
      .present(polled)
      .pipe(
        Effect.matchEffect({ onSuccess: (state) => note(state?.id), onFailure: ({ cause }) => note(cause) }),
        Effect.forkDetach({ startImmediately: true }),
      )
  }
  return { store, lookUps, hub, ask, answers, moveBusinessTime: (ms: number) => (movedMs += ms) }
})

/** Passes time in steps of 100 ms, so work that ends within a step can continue. */
const pass = (ms: number) =>
  Effect.gen(function* () {
    for (let left = ms; left > 0; left -= 100) yield* TestClock.adjust(Math.min(left, 100))
  })

/** The times from the start of each look-up to the start of the next. */
const gaps = (lookUps: ReadonlyArray<{ readonly at: number }>): ReadonlyArray<number> =>
  lookUps.slice(1).map(({ at }, nth) => at - (lookUps[nth]?.at ?? 0))

const openPage = Effect.gen(function* () {
  const opened = yield* openHub
  const watched = key()
  const { reader: page, received } = reading(30_000)
  yield* opened.hub.present(watched)
  opened.hub.follow(watched, page)
  yield* pass(1_000)
  opened.lookUps.length = 0
  return { ...opened, watched, page, received }
})

describe("the rounds of a hub", () => {
  it.effect("starts a round each second if look-ups take no time", () =>
    Effect.gen(function* () {
      const { lookUps } = yield* openPage
      yield* pass(4_000)
      expect(gaps(lookUps)).toEqual([1_000, 1_000, 1_000])
    }),
  )

  it.effect("waits between rounds ten times the duration of the last round, at most ten seconds", () =>
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

  it.effect("starts a round every four seconds during an outage, and logs the outage once", () => {
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

  it.effect("starts rounds when a page polls, stops them eight seconds later, and restarts them at the next poll", () =>
    Effect.gen(function* () {
      const { hub, lookUps } = yield* openHub
      const polled = key()
      yield* pass(5_000)
      expect(lookUps).toEqual([])
      yield* hub.present(polled)
      yield* pass(60_000)
      const last = lookUps.at(-1)?.at ?? 0
      expect(last).toBeGreaterThanOrEqual(12_000)
      expect(last).toBeLessThan(13_000)
      const count = lookUps.length
      yield* hub.present(polled)
      expect(lookUps.length).toBeGreaterThan(count)
    }),
  )
})

describe("an open page of a hub", () => {
  it.effect("sends each new state to an open page once, and doesn't send an unchanged state", () =>
    Effect.gen(function* () {
      const { store, received } = yield* openPage
      store.state = foundAs("open")
      yield* pass(2_000)
      expect(received).toEqual([])
      store.state = foundAs("other")
      yield* pass(3_000)
      expect(received).toEqual(["other at 4000"])
      store.state = foundAs("paid", true)
      yield* pass(1_000)
      expect(received.slice(1)).toEqual(["paid at 7000", "end"])
    }),
  )

  it.effect("sends the payment if a charge is found paid and expired in the same round", () =>
    Effect.gen(function* () {
      const { store, received } = yield* openPage
      store.isOver = true
      yield* pass(1_000)
      expect(received).toEqual(["expired at 2000"])
      const other = yield* openPage
      other.store.isOver = true
      other.store.state = foundAs("paid")
      yield* pass(1_000)
      expect(other.received).toEqual(["paid at 4000"])
    }),
  )

  it.effect("keeps an open page up to date until its link expires, and then ends its stream", () =>
    Effect.gen(function* () {
      const { hub, watched, page, lookUps, received } = yield* openPage
      yield* pass(28_999)
      expect([received, gaps(lookUps)]).toEqual([[], Array(27).fill(1_000)])
      yield* pass(1)
      expect(received).toEqual(["end"])
      hub.leave(watched, page)
      lookUps.length = 0
      yield* pass(10_000)
      expect(lookUps).toEqual([])
    }),
  )

  it.effect("sends the new time to open pages if business time jumps by more than 1.5 s, forward or back", () =>
    Effect.gen(function* () {
      const { moveBusinessTime, received } = yield* openPage
      for (const ms of [1_500, 1_501, -2_500, -2_501]) {
        moveBusinessTime(ms)
        yield* pass(1_000)
      }
      // Each step also passes a second, so -2500 ms sets business time back by only 1.5 s.
      expect(received).toEqual(["open at 6001", "open at 3000"])
    }),
  )

  it.effect("doesn't send the new time to a page that opens after the jump of business time", () =>
    Effect.gen(function* () {
      const { store, hub, ask, watched, page, moveBusinessTime } = yield* openPage
      hub.leave(watched, page)
      yield* pass(20_000)
      moveBusinessTime(60_000)
      const { reader: later, received } = reading()
      store.tookMs = 200
      yield* ask("later", watched)
      yield* pass(200)
      hub.follow(watched, later)
      yield* pass(3_000)
      expect(received).toEqual([])
    }),
  )
})

describe("a hub whose store is slow", () => {
  it.effect("looks up all charges that joined during a look-up in one call, each once", () =>
    Effect.gen(function* () {
      const { store, hub, lookUps, ask, answers } = yield* openHub
      const [watched, polled, opened] = [key(), key(), key()]
      store.tookMs = 9_000
      yield* ask("watched", watched)
      hub.follow(watched, reader)
      yield* pass(100)
      yield* ask("polled", polled)
      yield* ask("opened", opened)
      hub.follow(opened, reader)
      yield* pass(9_900)
      yield* ask("polled again", polled)
      yield* pass(17_000)
      expect(lookUps).toEqual([
        { at: 0, count: 1 },
        { at: 9_000, count: 1 },
        { at: 18_000, count: 2 },
      ])
      expect(answers).toEqual([
        "watched: open at 9000",
        "polled: open at 27000",
        "polled again: open at 27000",
        "opened: open at 27000",
      ])
    }),
  )
})

describe("a hub whose store fails", () => {
  it.effect("reports the failure, and looks up a single company's charges once", () =>
    Effect.gen(function* () {
      const { store, lookUps, ask, answers } = yield* openHub
      store.isDown = true
      yield* ask("first", key())
      yield* pass(100)
      expect([answers, lookUps.length]).toEqual([["first: HTTP 503 at 0"], 1])
    }),
  )

  it.effect("looks up eight companies at a time with one call each, and stops if all eight fail", () =>
    Effect.gen(function* () {
      const { store, lookUps, ask, answers } = yield* openHub
      const issuers = Array.from({ length: 20 }, (_, index) => String(11_222_333_000_100 + index))
      const askAll = Effect.forEach(issuers, (issuer) => ask(issuer, key(issuer)))
      store.tookMs = 1_000
      store.isDown = true
      yield* ask("first", key())
      yield* pass(100)
      yield* askAll
      yield* pass(5_000)
      const apart = Array.from({ length: 8 }, () => ({ at: 2_000, count: 1 }))
      expect(lookUps).toEqual([{ at: 0, count: 1 }, { at: 1_000, count: 20 }, ...apart])
      expect(answers.slice(1)).toEqual(issuers.map((issuer) => `${issuer}: HTTP 503 at 3000`))

      store.isDown = false
      for (const issuer of issuers.slice(0, 7)) store.down.add(issuer)
      answers.length = 0
      yield* askAll
      yield* pass(5_000)
      const expected = issuers.map((_, nth) => (nth < 7 ? "HTTP 503" : "open"))
      expect(answers.toSorted()).toEqual(
        issuers.map((issuer, nth) => expect.stringContaining(`${issuer}: ${expected[nth]}`)),
      )
    }),
  )

  it.effect("returns undefined for a missing charge, and skips it in rounds", () =>
    Effect.gen(function* () {
      const { store, hub, lookUps, ask, answers } = yield* openHub
      store.isMissing = () => true
      yield* ask("missing", key())
      yield* pass(5_000)
      expect([answers, lookUps.length]).toEqual([["missing: undefined at 0"], 1])
      hub.follow(key(), reader)
      yield* pass(5_000)
      expect(lookUps.filter(({ count }) => count !== 1)).toEqual([])
    }),
  )

  it.effect("answers waiting pages that the checkout has ended when the hub or its store ends", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { store, ask, answers } = yield* Effect.provideService(openHub, Scope.Scope, scope)
      store.hasEnded = true
      yield* ask("first", key())
      yield* pass(100)
      store.tookMs = 10_000
      yield* ask("second", key())
      yield* pass(100)
      yield* ask("third", key())
      yield* Scope.close(scope, Exit.void)
      expect(answers).toEqual([
        "first: the checkout has ended at 0",
        "second: the checkout has ended at 200",
        "third: the checkout has ended at 200",
      ])
    }),
  )
})

describe("a hub whose store fails for some companies", () => {
  const failing = Array.from({ length: 12 }, (_, index) => String(11_222_333_000_100 + index))

  it.effect("updates pages of healthy companies each second, and pages of failing companies after the outage", () => {
    const logged: Array<unknown> = []
    return Effect.gen(function* () {
      const { store, hub, lookUps } = yield* openHub
      const opened = [...failing, aCnpj, anotherCnpj].map((issuer) => ({ at: key(issuer), ...reading() }))
      for (const { at, reader: page } of opened) {
        yield* hub.present(at)
        hub.follow(at, page)
      }
      for (const issuer of failing) store.down.add(issuer)
      yield* pass(20_000)
      for (const state of ["first", "second"]) {
        store.state = foundAs(state)
        yield* pass(1_000)
        for (const { received } of opened.slice(12)) expect(received.at(-1)).toContain(state)
      }
      lookUps.length = 0
      store.isOver = true
      yield* pass(1_000)
      // One call for the healthy companies, one for the failing companies together, then one for each of eight of these.
      expect(lookUps.map(({ count }) => count)).toEqual([2, 12, ...Array(8).fill(1)])
      yield* pass(9_000)
      expect(opened.slice(0, 12).flatMap(({ received }) => received)).toEqual([])
      expect(logged).toHaveLength(1)
      for (const issuer of failing.slice(8)) store.down.delete(issuer)
      yield* pass(3_000)
      expect(opened.map(({ received }) => received.length)).toEqual([
        ...failing.map((_, nth) => (nth < 8 ? 0 : 1)),
        2,
        2,
      ])
      store.down.clear()
      yield* pass(1_000)
      expect(opened.map(({ received }) => received.length)).toEqual([...failing.map(() => 1), 2, 2])
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
  })
})

describe("a hub that 20 000 pages poll", () => {
  it.effect("doesn't watch more than 20 000 polled charges, and looks up a further charge at each poll", () =>
    Effect.gen(function* () {
      const { hub, lookUps } = yield* openHub
      const places = Array.from({ length: 20_001 }, key)
      yield* Effect.forEach(places, hub.present, { concurrency: "unbounded", discard: true })
      yield* pass(2_000)
      expect(lookUps.at(-1)?.count).toBe(20_000)
      const before = lookUps.length
      yield* hub.present(places[19_999] ?? key())
      expect(lookUps).toHaveLength(before)
      yield* hub.present(places[20_000] ?? key())
      expect(lookUps.slice(before).map(({ count }) => count)).toEqual([1])
    }),
  )
})
