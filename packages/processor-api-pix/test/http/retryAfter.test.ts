import { it } from "@pixcharge/testkit"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { retryAfterMsOf } from "../../src/http/retryAfter.ts"

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
