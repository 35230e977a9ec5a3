import { expect, it } from "vitest"
import { retryDelayMs } from "../../src/services/events/attempt.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

it.each(delays.map((delay, index) => [index + 1, delay] as const))(
  "waits after attempt %i for %i ms, spread by a fifth, in whole milliseconds",
  (attempt, delay) => {
    expect([0, 0.5, 1].map((random) => retryDelayMs(attempt, random))).toEqual([0.8 * delay, delay, 1.2 * delay])
    expect(Number.isInteger(retryDelayMs(attempt, 0.123_456))).toBe(true)
  },
)

it("plans no retry after the tenth attempt", () => {
  expect(retryDelayMs(10, 0.5)).toBeUndefined()
  expect(retryDelayMs(10, 0.5, hour)).toBeUndefined()
})

it("waits for the receiver's Retry-After, up to a day", () => {
  expect(retryDelayMs(1, 0.5, 5 * second - 1)).toBe(5 * second)
  expect(retryDelayMs(1, 0.5, 5 * second + 1)).toBe(5 * second + 1)
  expect(retryDelayMs(1, 0.5, 24 * hour)).toBe(24 * hour)
  expect(retryDelayMs(1, 0.5, 24 * hour + 1)).toBe(24 * hour)
})
