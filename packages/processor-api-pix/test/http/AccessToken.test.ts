import { it } from "@pixcharge/testkit"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { makeAccessToken } from "../../src/http/AccessToken.ts"

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
