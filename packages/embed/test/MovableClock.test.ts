import { expect, it } from "vitest"
import { makeMovableClock } from "../src/MovableClock.ts"

it("business time moves on by whole milliseconds, and elapsed time doesn't jump", () => {
  const clock = makeMovableClock()
  const [before, elapsed] = [Date.now(), clock.monotonicTimeNanosUnsafe()]
  clock.advanceUnsafe("3 days")
  clock.advanceUnsafe(0.9)
  const ahead = 3 * 86_400_000
  const passed = () => Date.now() - before
  expect(clock.currentTimeMillisUnsafe() - before - ahead).toBeGreaterThanOrEqual(0)
  expect(clock.currentTimeMillisUnsafe() - before - ahead).toBeLessThanOrEqual(passed())
  expect(Number.isInteger(clock.currentTimeMillisUnsafe())).toBe(true)
  expect(clock.currentTimeNanosUnsafe() / 1_000_000n - BigInt(before)).toBeGreaterThanOrEqual(BigInt(ahead))
  expect(clock.monotonicTimeNanosUnsafe() - elapsed).toBeLessThan(BigInt(ahead) * 1_000_000n)
})

it.each([-1, Number.POSITIVE_INFINITY])("it can't be moved by %d ms", (ms) => {
  expect(() => makeMovableClock().advanceUnsafe(ms)).toThrow(RangeError)
})
