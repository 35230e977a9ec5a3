import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import type { Brand } from "../src/shop/Brand.ts"
import { makeShopFinder } from "../src/shop/findShop.ts"

const openHost = () => {
  const asked: Record<string, number> = {}
  const host = { answer: async (): Promise<Brand | undefined> => ({ name: "Aurora" }) }
  const { branding } = makeShopFinder((issuer) => {
    asked[issuer] = (asked[issuer] ?? 0) + 1
    return host.answer()
  }, undefined)
  return { asked, host, branding }
}

describe("the function brand", () => {
  it.effect("is called once a minute per company for any number of pages and files", () =>
    Effect.gen(function* () {
      const { asked, branding } = openHost()
      const askOften = Effect.all(
        Array.from({ length: 50 }, (_, at) => branding(at % 2 === 0 ? "a" : "b")),
        { concurrency: "unbounded" },
      )
      for (const { name } of yield* askOften) expect(name).toBe("Aurora")
      yield* TestClock.adjust(59_999)
      yield* askOften
      expect(asked).toEqual({ a: 1, b: 1 })
      yield* TestClock.adjust(1)
      yield* askOften
      expect(asked).toEqual({ a: 2, b: 2 })
    }),
  )

  const answers: ReadonlyArray<readonly [string, () => Promise<Brand | undefined>]> = [
    ["returned undefined", async () => undefined],
    ["rejected", () => Promise.reject(new Error("no"))],
    ["returned an invalid brand", async () => ({ accent: "red" })],
  ]

  for (const [title, answer] of answers)
    it.effect(`is called again five seconds after it ${title}`, () =>
      Effect.gen(function* () {
        const { asked, host, branding } = openHost()
        const { answer: good } = host
        host.answer = answer
        for (let times = 0; times < 3; times++) expect(yield* branding("a")).toEqual({})
        yield* TestClock.adjust(4_999)
        expect(yield* branding("a")).toEqual({})
        expect(asked).toEqual({ a: 1 })
        host.answer = good
        yield* TestClock.adjust(1)
        expect((yield* branding("a")).name).toBe("Aurora")
      }),
    )
})
