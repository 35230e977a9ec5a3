import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import type { Brand } from "../src/shop/Brand.ts"
import { makeShopFinder } from "../src/shop/findShop.ts"

const openHost = () => {
  const callCounts: Record<string, number> = {}
  const host = { answer: async (): Promise<Brand | undefined> => ({ name: "Aurora" }) }
  const { branding } = makeShopFinder((issuer) => {
    callCounts[issuer] = (callCounts[issuer] ?? 0) + 1
    return host.answer()
  }, undefined)
  return { callCounts, host, branding }
}

describe("the function brand", () => {
  it.effect("calls `brand` once a minute per company for any number of pages and files", () =>
    Effect.gen(function* () {
      const { callCounts, branding } = openHost()
      const findOften = Effect.all(
        Array.from({ length: 50 }, (_, index) => branding(index % 2 === 0 ? "a" : "b")),
        { concurrency: "unbounded" },
      )
      for (const { name } of yield* findOften) expect(name).toBe("Aurora")
      yield* TestClock.adjust(59_999)
      yield* findOften
      expect(callCounts).toEqual({ a: 1, b: 1 })
      yield* TestClock.adjust(1)
      yield* findOften
      expect(callCounts).toEqual({ a: 2, b: 2 })
    }),
  )

  const answers: ReadonlyArray<readonly [string, () => Promise<Brand | undefined>]> = [
    ["returned undefined", async () => undefined],
    ["rejected", () => Promise.reject(new Error("no"))],
    ["returned an invalid brand", async () => ({ accent: "red" })],
  ]

  for (const [title, answer] of answers)
    it.effect(`calls \`brand\` again five seconds after it ${title}`, () =>
      Effect.gen(function* () {
        const { callCounts, host, branding } = openHost()
        const { answer: good } = host
        host.answer = answer
        for (let times = 0; times < 3; times++) expect(yield* branding("a")).toEqual({})
        yield* TestClock.adjust(4_999)
        expect(yield* branding("a")).toEqual({})
        expect(callCounts).toEqual({ a: 1 })
        host.answer = good
        yield* TestClock.adjust(1)
        expect((yield* branding("a")).name).toBe("Aurora")
      }),
    )
})
