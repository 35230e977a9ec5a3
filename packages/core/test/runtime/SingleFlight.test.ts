import { it } from "@pixcharge/adapter-tests/suites"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import { makeSingleFlight } from "../../src/runtime/cache.ts"

/** An effect that counts its runs and ends on demand. */
const makeRun = Effect.map(Deferred.make<string, string>(), (end) => {
  let runs = 0
  const effect = Effect.suspend(() => {
    runs += 1
    return Deferred.await(end)
  })
  return { effect, end, runs: () => runs }
})

const settle = Effect.forEach(Array.from({ length: 5 }), () => Effect.yieldNow)

describe("makeSingleFlight", () => {
  it.effect("shares one run among callers with the same meaning", () =>
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

  it.effect("shares a failure, and runs again for the next caller", () =>
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

  it.effect("runs a call with another meaning after the first run has ended", () =>
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

  it.effect("runs calls with different keys separately", () =>
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

  it.effect("continues a run after its first caller leaves", () =>
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

  it.effect("ends runs and waiting callers with its scope", () =>
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

  it.effect("runs no effect after its scope has ended", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      yield* Scope.close(scope, Exit.void)
      const fly = makeSingleFlight<string, string>(scope)
      expect(Exit.hasInterrupts(yield* Effect.exit(fly("key", "", Effect.never)))).toBe(true)
    }),
  )
})
