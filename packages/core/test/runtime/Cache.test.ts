import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Cache } from "../../src/runtime/cache.ts"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** A cache that returns the key's number of loads. Its maximum age is 5 s by default. */
const counting = (maxAgeMs = 5_000, maxCount = 100) => {
  const readings = new Map<string, number>()
  const read = (key: string) =>
    Effect.sync(() => {
      const count = (readings.get(key) ?? 0) + 1
      readings.set(key, count)
      return count
    })
  return { readings, read, cache: new Cache({ load: read, maxAgeMs, maxCount }) }
}

describe("Cache.get", () => {
  it.effect("keeps an answer for its age, to the millisecond", () =>
    Effect.gen(function* () {
      const { cache } = counting()
      expect(yield* cache.get("a")).toBe(1)
      yield* TestClock.adjust(4_999)
      expect(yield* cache.get("a")).toBe(1)
      yield* TestClock.adjust(1)
      expect(yield* cache.get("a")).toBe(2)
    }),
  )

  it.effect("doesn't keep an answer longer if it is requested again", () =>
    Effect.gen(function* () {
      const { cache } = counting()
      const answers = []
      for (let second = 0; second < 11; second++) {
        answers.push(yield* cache.get("a"))
        yield* TestClock.adjust(1_000)
      }
      expect(answers).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3])
    }),
  )

  it.effect("keeps one answer for each key, even if it is undefined", () =>
    Effect.gen(function* () {
      const cache = new Cache({
        load: (key: string) => Effect.succeed(key === "a" ? 1 : undefined),
        maxAgeMs: 5_000,
        maxCount: 10,
      })
      expect([yield* cache.get("a"), yield* cache.get("b"), yield* cache.get("a")]).toEqual([1, undefined, 1])
    }),
  )

  it.effect("counts an answer's age from its request, even if loading is slow", () =>
    Effect.gen(function* () {
      const { read } = counting()
      const cache = new Cache({
        load: (key: string) => Effect.delay(read(key), 3_000),
        maxAgeMs: 5_000,
        maxCount: 10,
      })
      const first = yield* Effect.forkChild(cache.get("a"))
      yield* TestClock.adjust(3_000)
      expect(yield* Fiber.join(first)).toBe(1)
      yield* TestClock.adjust(1_999)
      expect(yield* cache.get("a")).toBe(1)
      yield* TestClock.adjust(1)
      const second = yield* Effect.forkChild(cache.get("a"))
      yield* TestClock.adjust(3_000)
      expect(yield* Fiber.join(second)).toBe(2)
    }),
  )

  it.effect("loads again for later callers if a load takes longer than the maximum age", () =>
    Effect.gen(function* () {
      const { read, readings } = counting()
      const cache = new Cache({
        load: (key: string) => Effect.andThen(read(key), Effect.never),
        maxAgeMs: 5_000,
        maxCount: 10,
      })
      yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      yield* TestClock.adjust(4_999)
      yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      expect(readings.get("a")).toBe(1)
      yield* TestClock.adjust(1)
      yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      expect(readings.get("a")).toBe(2)
    }),
  )

  it.effect("loads each time if the maximum age is 0", () =>
    Effect.gen(function* () {
      const { cache } = counting(0)
      expect([yield* cache.get("a"), yield* cache.get("a")]).toEqual([1, 2])
    }),
  )

  it.effect("loads again after clear", () =>
    Effect.gen(function* () {
      const { cache } = counting()
      yield* cache.get("a")
      cache.clear()
      expect(yield* cache.get("a")).toBe(2)
    }),
  )

  it.effect("doesn't keep an answer that was loading during clear", () =>
    Effect.gen(function* () {
      const { read } = counting()
      const gate = yield* Deferred.make<void>()
      const cache = new Cache({
        load: (key: string) => Effect.tap(read(key), (count) => (count === 1 ? Deferred.await(gate) : Effect.void)),
        maxAgeMs: 5_000,
        maxCount: 10,
      })
      const early = yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      cache.clear()
      expect(yield* cache.get("a")).toBe(2)
      yield* Deferred.succeed(gate, undefined)
      expect(yield* Fiber.join(early)).toBe(1)
      expect(yield* cache.get("a")).toBe(2)
    }),
  )
})

describe("concurrent callers", () => {
  it.effect("makes one load for all concurrent callers", () =>
    Effect.gen(function* () {
      const { read, readings } = counting()
      const cache = new Cache({ load: (key: string) => Effect.delay(read(key), 10), maxAgeMs: 5_000, maxCount: 10 })
      const all = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 50 }, () => cache.get("a")),
          { concurrency: "unbounded" },
        ),
      )
      yield* TestClock.adjust(10)
      expect(new Set(yield* Fiber.join(all))).toEqual(new Set([1]))
      expect(readings.get("a")).toBe(1)
    }),
  )

  it.effect("answers the other callers after the first caller gave up", () =>
    Effect.gen(function* () {
      const { read } = counting()
      const cache = new Cache({ load: (key: string) => Effect.delay(read(key), 10), maxAgeMs: 5_000, maxCount: 10 })
      const first = yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      const second = yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust(10)
      expect(yield* Fiber.join(second)).toBe(1)
    }),
  )
})

describe("a failed load", () => {
  it.effect("passes a failure to all waiting callers, and doesn't keep the failure", () =>
    Effect.gen(function* () {
      let isDown = true
      const { read, readings } = counting()
      const cache = new Cache({
        load: (key: string) =>
          Effect.andThen(
            Effect.sleep(10),
            Effect.suspend(() => (isDown ? Effect.andThen(read(key), Effect.fail("down")) : read(key))),
          ),
        maxAgeMs: 5_000,
        maxCount: 10,
      })
      const pair = yield* Effect.forkChild(
        Effect.all([Effect.exit(cache.get("a")), Effect.exit(cache.get("a"))], { concurrency: "unbounded" }),
      )
      yield* TestClock.adjust(10)
      expect(yield* Fiber.join(pair)).toEqual([Exit.fail("down"), Exit.fail("down")])
      expect(readings.get("a")).toBe(1)
      isDown = false
      const again = yield* Effect.forkChild(cache.get("a"))
      yield* TestClock.adjust(10)
      expect(yield* Fiber.join(again)).toBe(2)
    }),
  )

  it.effect("doesn't keep the previous answer longer after a failed load", () =>
    Effect.gen(function* () {
      let isDown = false
      const cache = new Cache({
        load: () => Effect.suspend(() => (isDown ? Effect.fail("down") : Effect.succeed(1))),
        maxAgeMs: 5_000,
        maxCount: 10,
      })
      yield* cache.get("a")
      isDown = true
      yield* TestClock.adjust(4_999)
      expect(yield* cache.get("a")).toBe(1)
      yield* TestClock.adjust(1)
      expect(yield* Effect.flip(cache.get("a"))).toBe("down")
      isDown = false
      expect(yield* cache.get("a")).toBe(1)
    }),
  )

  it.effect("keeps a newer answer after an older load has failed", () =>
    Effect.gen(function* () {
      const { read, readings } = counting()
      const gate = yield* Deferred.make<void>()
      const cache = new Cache({
        load: (key: string) =>
          Effect.flatMap(read(key), (count) =>
            count === 1 ? Effect.andThen(Deferred.await(gate), Effect.fail("down")) : Effect.succeed(count),
          ),
        maxAgeMs: 5_000,
        maxCount: 10,
      })
      const early = yield* Effect.forkChild(Effect.flip(cache.get("a")), { startImmediately: true })
      cache.clear()
      expect(yield* cache.get("a")).toBe(2)
      yield* Deferred.succeed(gate, undefined)
      expect(yield* Fiber.join(early)).toBe("down")
      expect(yield* cache.get("a")).toBe(2)
      expect(readings.get("a")).toBe(2)
    }),
  )

  it.effect("passes on a defect, and loads again for the next caller", () =>
    Effect.gen(function* () {
      let isBroken = true
      const cache = new Cache({
        load: () =>
          Effect.sync(() => {
            if (isBroken) throw new Error("broken")
            return 1
          }),
        maxAgeMs: 5_000,
        maxCount: 10,
      })
      expect(Exit.hasDies(yield* Effect.exit(cache.get("a")))).toBe(true)
      isBroken = false
      expect(yield* cache.get("a")).toBe(1)
    }),
  )
})

describe("an answer with its own maximum age", () => {
  it.effect("loads an answer again after the answer's own maximum age", () =>
    Effect.gen(function* () {
      const { read, readings } = counting()
      const cache = new Cache({ load: read, maxAgeMs: (count) => count * 1_000, maxCount: 10 })
      for (let second = 0; second < 6; second++) {
        yield* cache.get("a")
        yield* TestClock.adjust(1_000)
      }
      expect(readings.get("a")).toBe(3)
    }),
  )

  it.effect("loads an answer with its own maximum age once for all waiting callers", () =>
    Effect.gen(function* () {
      const { read, readings } = counting()
      const cache = new Cache({
        load: (key: string) => Effect.delay(read(key), 9_000),
        maxAgeMs: () => 10_000,
        maxCount: 10,
      })
      const first = yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      yield* TestClock.adjust(8_000)
      const second = yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      yield* TestClock.adjust(1_000)
      expect([yield* Fiber.join(first), yield* Fiber.join(second)]).toEqual([1, 1])
      yield* TestClock.adjust(999)
      expect(yield* cache.get("a")).toBe(1)
      yield* TestClock.adjust(1)
      yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      yield* TestClock.adjust(9_000)
      expect(readings.get("a")).toBe(2)
    }),
  )
})

describe("Cache.renew", () => {
  /** A cache whose second load of a key ends on demand. */
  const gated = Effect.gen(function* () {
    const { read, readings } = counting()
    const gate = yield* Deferred.make<void, string>()
    const load = (key: string) => Effect.tap(read(key), (count) => (count === 2 ? Deferred.await(gate) : Effect.void))
    return { readings, gate, cache: new Cache({ load, maxAgeMs: 5_000, maxCount: 10 }) }
  })

  it.effect("replaces the old answer once the new answer is loaded", () =>
    Effect.gen(function* () {
      const { cache, gate } = yield* gated
      yield* cache.get("a")
      const renewal = yield* Effect.forkChild(cache.renew("a"), { startImmediately: true })
      expect(yield* cache.get("a")).toBe(1)
      yield* TestClock.adjust(1_000)
      yield* Deferred.succeed(gate, undefined)
      expect(yield* Fiber.join(renewal)).toBe(2)
      expect(yield* cache.get("a")).toBe(2)
      yield* TestClock.adjust(3_999)
      expect(yield* cache.get("a")).toBe(2)
      yield* TestClock.adjust(1)
      expect(yield* cache.get("a")).toBe(3)
    }),
  )

  it.effect("keeps the old answer for its age if the renewal fails", () =>
    Effect.gen(function* () {
      const { cache, gate } = yield* gated
      yield* cache.get("a")
      yield* Deferred.fail(gate, "down")
      expect(yield* Effect.flip(cache.renew("a"))).toBe("down")
      yield* TestClock.adjust(4_999)
      expect(yield* cache.get("a")).toBe(1)
      yield* TestClock.adjust(1)
      expect(yield* cache.get("a")).toBe(3)
    }),
  )

  it.effect("shares a renewal until it is too old, and then loads again", () =>
    Effect.gen(function* () {
      const { cache, gate, readings } = yield* gated
      yield* cache.get("a")
      const first = yield* Effect.forkChild(cache.renew("a"), { startImmediately: true })
      yield* TestClock.adjust(4_999)
      const second = yield* Effect.forkChild(cache.renew("a"), { startImmediately: true })
      expect(readings.get("a")).toBe(2)
      yield* TestClock.adjust(1)
      expect(yield* cache.renew("a")).toBe(3)
      yield* Deferred.succeed(gate, undefined)
      expect([yield* Fiber.join(first), yield* Fiber.join(second)]).toEqual([2, 2])
      expect(yield* cache.get("a")).toBe(3)
      expect(yield* cache.renew("a")).toBe(4)
    }),
  )

  it.effect("doesn't replace an answer that was requested later", () =>
    Effect.gen(function* () {
      const { cache, gate } = yield* gated
      yield* cache.get("a")
      yield* TestClock.adjust(1_000)
      const renewal = yield* Effect.forkChild(cache.renew("a"), { startImmediately: true })
      yield* TestClock.adjust(4_000)
      expect(yield* cache.get("a")).toBe(3)
      yield* Deferred.succeed(gate, undefined)
      expect(yield* Fiber.join(renewal)).toBe(2)
      expect(yield* cache.get("a")).toBe(3)
    }),
  )

  it.effect("neither keeps nor shares a renewal that was loading during clear", () =>
    Effect.gen(function* () {
      const { cache, gate, readings } = yield* gated
      yield* cache.get("a")
      cache.clear()
      const renewal = yield* Effect.forkChild(cache.renew("a"), { startImmediately: true })
      cache.clear()
      const other = yield* Effect.forkChild(cache.renew("a"), { startImmediately: true })
      expect(yield* Fiber.join(other)).toBe(3)
      cache.clear()
      yield* Deferred.succeed(gate, undefined)
      expect(yield* Fiber.join(renewal)).toBe(2)
      expect(yield* cache.get("a")).toBe(4)
      expect(readings.get("a")).toBe(4)
    }),
  )
})

describe("a cache", () => {
  it.effect("keeps at least half of its maximum number of answers, the most recently used", () =>
    Effect.gen(function* () {
      const { cache, readings } = counting(5_000, 4)
      for (const key of ["a", "b", "c", "d", "e"]) yield* cache.get(key)
      for (const key of ["e", "d"]) yield* cache.get(key)
      expect([...readings.values()]).toEqual([1, 1, 1, 1, 1])
      expect(yield* cache.get("a")).toBe(2)
    }),
  )

  it.effect("keeps a used answer among any number of other answers", () =>
    Effect.gen(function* () {
      const { cache, readings } = counting(5_000, 4)
      for (let n = 0; n < 50; n++) {
        yield* cache.get("a")
        yield* cache.get(`stranger ${n}`)
      }
      expect(readings.get("a")).toBe(1)
    }),
  )

  it.effect("forgets an unused answer after twice its age", () =>
    Effect.gen(function* () {
      const cache = new Cache({ load: (key: string) => Effect.succeed({ key }), maxAgeMs: 5_000, maxCount: 100 })
      const old = new WeakRef(yield* cache.get("old"))
      for (let round = 0; round < 3; round++) {
        yield* TestClock.adjust(5_000)
        yield* cache.get("other")
      }
      // Waits for a new task, because a dereferenced object lives to the end of the current task.
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve)))
      collectGarbage()
      expect(old.deref()).toBeUndefined()
    }),
  )

  it.effect("forgets a wrong answer, but not a newer answer", () =>
    Effect.gen(function* () {
      const { cache } = counting()
      const first = yield* cache.get("a")
      cache.forget("a", first)
      expect(yield* cache.get("a")).toBe(2)
      cache.forget("a", first)
      cache.forget("b", first)
      expect(yield* cache.get("a")).toBe(2)
    }),
  )

  it.effect("ends its loads and their waiting callers with its scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const cache = new Cache({ load: () => Effect.never, maxAgeMs: 5_000, maxCount: 10, scope })
      const early = yield* Effect.forkChild(cache.get("a"), { startImmediately: true })
      yield* Scope.close(scope, Exit.void)
      expect(Exit.hasInterrupts(yield* Fiber.await(early))).toBe(true)
      expect(Exit.hasInterrupts(yield* Effect.exit(cache.get("a")))).toBe(true)
    }),
  )
})
