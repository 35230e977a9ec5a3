import { expect, it } from "vitest"
import { makeMovableClock, makeRunInPast } from "../src/instance/MovableClock.ts"

it("looks for payments at each move without `false`, and once the clock is back in the present", async () => {
  const clock = makeMovableClock(100_000)
  const looks: Array<readonly [at: number, looksForPayments: boolean]> = []
  const runInPast = makeRunInPast(clock, async (looksForPayments) => {
    looks.push([clock.currentTimeMillisUnsafe(), looksForPayments])
  })
  await runInPast(1_000, async (moveTo) => {
    await moveTo(2_000)
    await moveTo(3_000, false)
    await moveTo(4_000)
  })
  expect(looks).toEqual([
    [2_000, true],
    [3_000, false],
    [4_000, true],
    [100_000, true],
  ])
})

it("refuses a second call while one runs, and accepts a call after a failed one", async () => {
  const clock = makeMovableClock(100_000)
  const runInPast = makeRunInPast(clock, async () => undefined)
  const failing = runInPast(1_000, async () => {
    await expect(runInPast(1_000, async () => "within")).rejects.toThrow("another call is under way")
    throw new Error("the story broke off")
  })
  await expect(failing).rejects.toThrow("the story broke off")
  expect(clock.currentTimeMillisUnsafe()).toBe(100_000)
  expect(await runInPast(1_000, async () => clock.currentTimeMillisUnsafe())).toBe(1_000)
  expect(await runInPast(100_000, async () => "now")).toBe("now")
})

it.each([
  ["later than the present", 100_001, "later than the present"],
  ["not a whole number", 1_000.5, "whole epoch milliseconds"],
  ["not a number", Number.NaN, "whole epoch milliseconds"],
])("refuses a moment that is %s, and stays in the present", async (_, at, why) => {
  const clock = makeMovableClock(100_000)
  const runInPast = makeRunInPast(clock, async () => undefined)
  await expect(runInPast(at, async () => "there")).rejects.toThrow(why)
  expect(clock.currentTimeMillisUnsafe()).toBe(100_000)
  await runInPast(2_000, async (moveTo) => {
    await expect(moveTo(at)).rejects.toThrow(why)
    await expect(moveTo(1_999)).rejects.toThrow("moveTo can't go back in time")
    await moveTo(2_000)
  })
  await expect(runInPast(1_000, undefined as never)).rejects.toThrow("work must be a function")
})
