import { expect, it } from "vitest"
import { delayMsAfter, nextDelayMs } from "../../src/runtime/breaker.ts"

const rule = { firstMs: 100, maxMs: 700 }

it("a delay is the first one at first, then twice as long as the last, and never longer than the longest", () => {
  expect([undefined, 0, 40, 100, 200, 400, 700].map((lastMs) => nextDelayMs(rule, lastMs))).toEqual([
    100, 100, 100, 200, 400, 700, 700,
  ])
})

it("the delay after a number of failures is the same", () => {
  expect([1, 2, 3, 4, 5, 2_000].map((failures) => delayMsAfter(rule, failures))).toEqual([100, 200, 400, 700, 700, 700])
})
