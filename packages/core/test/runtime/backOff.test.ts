import { expect, it } from "vitest"
import { delayMsAfter, nextDelayMs } from "../../src/runtime/breaker.ts"

const rule = { firstMs: 100, maxMs: 700 }

it("begins with the first delay, and doubles it up to the maximum", () => {
  expect([undefined, 0, 40, 100, 200, 400, 700].map((lastMs) => nextDelayMs(rule, lastMs))).toEqual([
    100, 100, 100, 200, 400, 700, 700,
  ])
})

it("gives the same delay for a number of failures", () => {
  expect([1, 2, 3, 4, 5, 2_000].map((failures) => delayMsAfter(rule, failures))).toEqual([100, 200, 400, 700, 700, 700])
})
