import { afterFailure, allowedAtOnce, type BreakerRule, closedBreaker } from "@pixcharge/core/internal"
import { expect, it } from "vitest"

const rule: BreakerRule = { failuresToOpen: 3, firstMs: 100, maxMs: 1_000 }

/** Cool-downs of a peer that fails this often, each time at the end of the last cool-down. */
const coolDowns = (times: number, from = closedBreaker) => {
  let breaker = from
  let now = 5_000
  return Array.from({ length: times }, () => {
    breaker = afterFailure(breaker, rule, now)
    const coolDownMs = breaker.coolDownUntil === 0 ? 0 : breaker.coolDownUntil - now
    now += coolDownMs
    return coolDownMs
  })
}

it("opens at the third failure, and doubles its cool-down up to a maximum", () => {
  expect(coolDowns(9)).toEqual([0, 0, 100, 200, 400, 800, 1_000, 1_000, 1_000])
  expect(coolDowns(2_000).at(-1)).toBe(1_000)
  const longRule = { ...rule, maxMs: 1e12 }
  expect(afterFailure({ failures: 5_000, coolDownUntil: 1 }, longRule, 1).coolDownUntil).toBe(1 + 1e12)
})

it("ignores a failure during the cool-down, and counts a failure after it", () => {
  const open = { failures: 3, coolDownUntil: 1_000 }
  expect(afterFailure(open, rule, 999)).toBe(open)
  expect(afterFailure(open, rule, 1_000)).toEqual({ failures: 4, coolDownUntil: 1_200 })
})

it("uses the peer's own cool-down if it is longer, up to the maximum", () => {
  expect(afterFailure(closedBreaker, rule, 10, 50)).toEqual({ failures: 1, coolDownUntil: 60 })
  expect(afterFailure({ failures: 2, coolDownUntil: 0 }, rule, 10, 50).coolDownUntil).toBe(110)
  expect(afterFailure({ failures: 2, coolDownUntil: 0 }, rule, 10, 150).coolDownUntil).toBe(160)
  expect(afterFailure(closedBreaker, rule, 10, 1_001).coolDownUntil).toBe(1_010)
})

it("allows all calls while healthy, none during the cool-down, and one call after it", () => {
  expect(allowedAtOnce(closedBreaker, 0, 7)).toBe(7)
  expect(allowedAtOnce({ failures: 1, coolDownUntil: 0 }, 0, 7)).toBe(7)
  const open = { failures: 3, coolDownUntil: 1_000 }
  expect([999, 1_000, 2_000].map((now) => allowedAtOnce(open, now, 7))).toEqual([0, 1, 1])
})
