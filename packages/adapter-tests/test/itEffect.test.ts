import { it, itWith } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { afterAll, describe, expect } from "vitest"

class Count extends Context.Service<Count, { readonly next: () => number }>()("@pixcharge/adapter-tests/test/Count") {}

const counting = itWith(
  Layer.sync(Count, () => {
    let count = 0
    return { next: () => (count += 1) }
  }),
)

describe("a test that is an Effect", () => {
  const released: Array<string> = []
  afterAll(() => expect(released).toEqual(["effect", "live"]))

  it.effect("runs on a clock that is frozen at 0 until the test moves it", () =>
    Effect.gen(function* () {
      yield* Effect.addFinalizer(() => Effect.sync(() => released.push("effect")))
      const sleeper = yield* Effect.forkChild(Effect.sleep("3 days"))
      expect(yield* Clock.currentTimeMillis).toBe(0)
      yield* TestClock.adjust("3 days")
      yield* Fiber.join(sleeper)
      expect(yield* Clock.currentTimeMillis).toBe(3 * 86_400_000)
    }),
  )

  it.live("runs on the real clock under `it.live`", () =>
    Effect.gen(function* () {
      yield* Effect.addFinalizer(() => Effect.sync(() => released.push("live")))
      const before = Date.now()
      const now = yield* Clock.currentTimeMillis
      expect(now).toBeGreaterThanOrEqual(before)
      expect(now).toBeLessThanOrEqual(Date.now())
    }),
  )

  for (const test of [counting.effect, counting.live, counting.effect]) {
    test("builds its services again for each test", () =>
      Effect.gen(function* () {
        const count = yield* Count
        expect([count.next(), count.next()]).toEqual([1, 2])
      }))
  }
})
