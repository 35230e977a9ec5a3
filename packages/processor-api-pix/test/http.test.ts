import { it } from "@pixcharge/testkit/suites"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { makeAccessToken } from "../src/http/AccessToken.ts"
import { longestWaitMs, makeGate, mostFailures, openMs } from "../src/http/Gate.ts"
import { makeSingleFlight } from "../src/http/SingleFlight.ts"
import { retryAfterMsOf } from "../src/http/retryAfter.ts"

/** A bank that numbers its tokens and takes 10 ms for one. */
const aBank = (lifetimeMs?: number) => {
  let given = 0
  const fetchToken = Effect.delay(
    Effect.sync(() => {
      given += 1
      return { token: `token ${given}`, ...(lifetimeMs !== undefined && { lifetimeMs }) }
    }),
    10,
  )
  return { fetchToken, given: () => given }
}

const withToken = (lifetimeMs?: number) =>
  Effect.gen(function* () {
    const { fetchToken, given } = aBank(lifetimeMs)
    const token = makeAccessToken(fetchToken, yield* Effect.scope)
    const get = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(token.get)
      yield* TestClock.adjust(10)
      return yield* Fiber.join(fiber)
    })
    return { token, get, given }
  })

describe("a bank's token", () => {
  it.effect("is fetched once for all who wait, and kept", () =>
    Effect.gen(function* () {
      const { token, get, given } = yield* withToken(3_600_000)
      const waiting = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(token.get))
      yield* TestClock.adjust(10)
      for (const fiber of waiting) expect(Redacted.value(yield* Fiber.join(fiber))).toBe("token 1")
      yield* TestClock.adjust(3_000_000)
      expect(Redacted.value(yield* get)).toBe("token 1")
      expect(given()).toBe(1)
    }),
  )

  it.effect("is renewed a minute before it ends", () =>
    Effect.gen(function* () {
      const { get } = yield* withToken(3_600_000)
      yield* get
      yield* TestClock.adjust(3_600_000 - 60_000 - 11)
      expect(Redacted.value(yield* get)).toBe("token 1")
      yield* TestClock.adjust(1)
      expect(Redacted.value(yield* get)).toBe("token 2")
    }),
  )

  it.effect("of a short life is used for most of it", () =>
    Effect.gen(function* () {
      const { get } = yield* withToken(30_000)
      yield* get
      yield* TestClock.adjust(26_000)
      expect(Redacted.value(yield* get)).toBe("token 1")
      yield* TestClock.adjust(1_000)
      expect(Redacted.value(yield* get)).toBe("token 2")
    }),
  )

  it.effect("that the bank refused is forgotten, and no newer one", () =>
    Effect.gen(function* () {
      const { token, get } = yield* withToken(3_600_000)
      const first = yield* get
      yield* token.forget(first)
      const second = yield* get
      expect(Redacted.value(second)).toBe("token 2")
      yield* token.forget(first)
      expect(yield* get).toBe(second)
    }),
  )

  it.effect("shows itself to nobody", () =>
    Effect.gen(function* () {
      const { get } = yield* withToken()
      expect(`${String(yield* get)} ${JSON.stringify(yield* get)}`).not.toContain("token 1")
    }),
  )
})

const times = (n: number, effect: Effect.Effect<void>) => Effect.forEach(Array.from({ length: n }), () => effect)

describe("the gate before a bank", () => {
  it.effect("calls in a row without an answer open the circuit, and none is made for a while", () =>
    Effect.gen(function* () {
      const gate = makeGate()
      yield* times(mostFailures - 1, gate.failed)
      yield* gate.pass
      yield* gate.failed
      expect(yield* Effect.flip(gate.pass)).toMatchObject({ reason: "circuitOpen", retryAfterMs: openMs })
      yield* TestClock.adjust(openMs - 1)
      expect(yield* Effect.flip(gate.pass)).toMatchObject({ retryAfterMs: 1 })
    }),
  )

  it.effect("one answer in between, whatever it says, begins the count anew", () =>
    Effect.gen(function* () {
      const gate = makeGate()
      yield* times(mostFailures - 1, gate.failed)
      yield* gate.answered
      yield* times(mostFailures - 1, gate.failed)
      yield* gate.pass
      yield* gate.failed
      expect((yield* Effect.flip(gate.pass)).reason).toBe("circuitOpen")
    }),
  )

  it.effect("after the while one call goes first; its answer opens the gate for all", () =>
    Effect.gen(function* () {
      const gate = makeGate()
      yield* times(mostFailures, gate.failed)
      yield* TestClock.adjust(openMs)
      yield* gate.pass
      expect((yield* Effect.flip(gate.pass)).reason).toBe("circuitOpen")
      yield* gate.answered
      yield* gate.pass
      yield* gate.pass
    }),
  )

  it.effect("its failure keeps the circuit open as long again", () =>
    Effect.gen(function* () {
      const gate = makeGate()
      yield* times(mostFailures, gate.failed)
      yield* TestClock.adjust(openMs)
      yield* gate.pass
      yield* TestClock.adjust(openMs / 2)
      yield* gate.failed
      expect(yield* Effect.flip(gate.pass)).toMatchObject({ retryAfterMs: openMs })
    }),
  )

  it.effect("a short pause that the bank asks for is waited out", () =>
    Effect.gen(function* () {
      const gate = makeGate()
      yield* gate.pause(longestWaitMs)
      const caller = yield* Effect.forkChild(gate.pass)
      yield* TestClock.adjust(longestWaitMs - 1)
      expect(caller.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      yield* Fiber.join(caller)
    }),
  )

  it.effect("a long one is passed on to the caller, and a shorter one doesn't end it", () =>
    Effect.gen(function* () {
      const gate = makeGate()
      yield* gate.pause(60_000)
      yield* gate.pause(1_000)
      expect(yield* Effect.flip(gate.pass)).toMatchObject({ reason: "rateLimited", retryAfterMs: 60_000 })
      yield* TestClock.adjust(60_000)
      yield* gate.pass
    }),
  )
})

/** An effect that counts its runs and ends when told. */
const makeRun = Effect.map(Deferred.make<string, string>(), (end) => {
  let runs = 0
  const effect = Effect.suspend(() => {
    runs += 1
    return Deferred.await(end)
  })
  return { effect, end, runs: () => runs }
})

const settle = Effect.forEach(Array.from({ length: 5 }), () => Effect.yieldNow)

describe("a single flight", () => {
  it.effect("callers who mean the same share one run", () =>
    Effect.gen(function* () {
      const fly = makeSingleFlight<string, string>(yield* Effect.scope)
      const { effect, end, runs } = yield* makeRun
      const callers = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(fly("key", "same", effect)))
      yield* settle
      yield* Deferred.succeed(end, "done")
      expect(yield* Effect.forEach(callers, Fiber.join)).toEqual(["done", "done", "done"])
      expect(runs()).toBe(1)
    }),
  )

  it.effect("they share its failure too, and the next call runs anew", () =>
    Effect.gen(function* () {
      const fly = makeSingleFlight<string, string>(yield* Effect.scope)
      const { effect, end, runs } = yield* makeRun
      const callers = yield* Effect.forEach([1, 2], () => Effect.forkChild(Effect.flip(fly("key", "", effect))))
      yield* settle
      yield* Deferred.fail(end, "no")
      expect(yield* Effect.forEach(callers, Fiber.join)).toEqual(["no", "no"])
      yield* Effect.flip(fly("key", "", effect))
      expect(runs()).toBe(2)
    }),
  )

  it.effect("one who means something else waits for the end, and then runs", () =>
    Effect.gen(function* () {
      const fly = makeSingleFlight<string, string>(yield* Effect.scope)
      const [first, second] = [yield* makeRun, yield* makeRun]
      const one = yield* Effect.forkChild(fly("key", "one", first.effect))
      const two = yield* Effect.forkChild(fly("key", "two", second.effect))
      yield* settle
      expect([first.runs(), second.runs()]).toEqual([1, 0])
      yield* Deferred.fail(first.end, "no")
      yield* Effect.flip(Fiber.join(one))
      yield* settle
      expect(second.runs()).toBe(1)
      yield* Deferred.succeed(second.end, "2")
      expect(yield* Fiber.join(two)).toBe("2")
    }),
  )

  it.effect("other keys fly by themselves", () =>
    Effect.gen(function* () {
      const fly = makeSingleFlight<string, string>(yield* Effect.scope)
      const { effect, end, runs } = yield* makeRun
      const callers = yield* Effect.forEach(["a", "b"], (key) => Effect.forkChild(fly(key, "", effect)))
      yield* settle
      expect(runs()).toBe(2)
      yield* Deferred.succeed(end, "done")
      yield* Effect.forEach(callers, Fiber.join)
    }),
  )

  it.effect("a run goes on when the caller that began it leaves", () =>
    Effect.gen(function* () {
      const fly = makeSingleFlight<string, string>(yield* Effect.scope)
      const { effect, end } = yield* makeRun
      const gone = yield* Effect.forkChild(fly("key", "", effect))
      yield* settle
      const stays = yield* Effect.forkChild(fly("key", "", effect))
      yield* settle
      yield* Fiber.interrupt(gone)
      yield* Deferred.succeed(end, "done")
      expect(yield* Fiber.join(stays)).toBe("done")
    }),
  )

  it.effect("it ends with its Scope, and nobody waits for ever", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const fly = makeSingleFlight<string, string>(scope)
      const { effect } = yield* makeRun
      const caller = yield* Effect.forkChild(fly("key", "", effect))
      yield* settle
      yield* Scope.close(scope, Exit.void)
      expect(Exit.isFailure(yield* Fiber.await(caller))).toBe(true)
    }),
  )
})

describe("Retry-After", () => {
  it.effect("is seconds, a date, or nothing; never the past, never more than an hour", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 12))
      const cases: ReadonlyArray<readonly [string | undefined, number | undefined]> = [
        ["7", 7_000],
        ["0", 0],
        ["Fri, 20 Nov 2026 12:00:09 GMT", 9_000],
        ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
        ["999999999", 3_600_000],
        ["soon", undefined],
        [undefined, undefined],
      ]
      for (const [header, expected] of cases) expect(yield* retryAfterMsOf(header), header).toBe(expected)
    }),
  )
})
