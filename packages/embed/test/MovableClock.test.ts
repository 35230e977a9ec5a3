import { InvalidOption } from "@pixcharge/core"
import type * as Duration from "effect/Duration"
import { expect, it } from "vitest"
import { makeMovableClock } from "../src/instance/MovableClock.ts"

it("moves business time by whole milliseconds, without a jump of elapsed time", () => {
  const clock = makeMovableClock()
  const [before, elapsed] = [Date.now(), clock.monotonicTimeNanosUnsafe()]
  clock.advanceUnsafe("3 days")
  clock.advanceUnsafe(0.9)
  const ahead = 3 * 86_400_000
  const passed = () => Date.now() - before
  expect(clock.currentTimeMillisUnsafe() - before - ahead).toBeGreaterThanOrEqual(0)
  expect(clock.currentTimeMillisUnsafe() - before - ahead).toBeLessThanOrEqual(passed())
  expect(Number.isInteger(clock.currentTimeMillisUnsafe())).toBe(true)
  // Effect's nanosecond clock can differ from the system's clock by up to a second.
  expect(clock.currentTimeNanosUnsafe() / 1_000_000n - BigInt(before)).toBeGreaterThan(BigInt(ahead - 1_500))
  expect(clock.monotonicTimeNanosUnsafe() - elapsed).toBeLessThan(BigInt(ahead) * 1_000_000n)
})

it("freezes business time at a moment until it is moved", async () => {
  const clock = makeMovableClock(1_000)
  clock.advanceUnsafe("1 second")
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(clock.currentTimeMillisUnsafe()).toBe(2_000)
  expect(clock.currentTimeNanosUnsafe()).toBe(2_000_000_000n)
})

it.each([-1, Number.POSITIVE_INFINITY])("refuses a move by %d ms", (ms) => {
  expect(() => makeMovableClock().advanceUnsafe(ms)).toThrow(InvalidOption)
})

it.each(["3 dias", undefined, "", null, "3"])("refuses an invalid duration and names valid durations: %s", (by) => {
  expect(() => makeMovableClock().advanceUnsafe(by as Duration.Input)).toThrow(
    'clock.advance takes milliseconds, or a text like "3 days" or "90 minutes"',
  )
})

it.each([{ day: 3 }, { days: 3, hour: 1 }])("refuses an unknown unit: %o", (by) => {
  expect(() => makeMovableClock().advanceUnsafe(by)).toThrow("clock.advance takes milliseconds")
})

it("can be frozen in the past, and resumes as if it had not been frozen", () => {
  const clock = makeMovableClock(5_000)
  clock.freezeUnsafe(1_000)
  expect(clock.currentTimeMillisUnsafe()).toBe(1_000)
  expect(clock.currentTimeNanosUnsafe()).toBe(1_000_000_000n)
  clock.advanceUnsafe("1 second")
  expect(clock.currentTimeMillisUnsafe()).toBe(1_000)
  expect(clock.presentUnsafe()).toBe(6_000)
  clock.freezeUnsafe(undefined)
  expect(clock.currentTimeMillisUnsafe()).toBe(6_000)
})
