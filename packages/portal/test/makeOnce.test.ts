import { expect, it } from "vitest"
import { makeOnce } from "../src/frame/makeOnce.ts"

const always = () => true

it("runs once per name within twelve hours, even for simultaneous calls, and rejects other content", async () => {
  let now = 0
  let runs = 0
  const once = makeOnce<number>(() => now, always)
  const run = async () => ++runs
  expect(await Promise.all([once("a", "x", run), once("a", "x", run)])).toEqual([1, 1])
  expect(await once("a", "y", run)).toBeUndefined()
  expect(await once("b", "y", run)).toBe(2)
  now = 12 * 3_600_000 - 1
  expect(await once("a", "x", run)).toBe(1)
  now += 1
  expect(await once("a", "x", run)).toBe(3)
})

it("runs again after a failure", async () => {
  const once = makeOnce<number>(() => 0, always)
  await expect(once("a", "x", () => Promise.reject(new Error("down")))).rejects.toThrow("down")
  expect(await once("a", "x", async () => 1)).toBe(1)
})

it("shares a pending answer, but keeps only final answers", async () => {
  const once = makeOnce<string>(
    () => 0,
    (answer) => answer !== "to correct",
  )
  const correct = () => once("a", "x", async () => "to correct")
  expect(await Promise.all([correct(), correct()])).toEqual(["to correct", "to correct"])
  expect(await once("a", "y", async () => "done")).toBe("done")
  expect(await correct()).toBeUndefined()
})

it("forgets the oldest answer above five thousand", async () => {
  let runs = 0
  const once = makeOnce<number>(() => 0, always)
  const run = async () => ++runs
  for (let index = 0; index <= 5_000; index++) await once(String(index), "x", run)
  expect(await once("5000", "x", run)).toBe(5_001)
  expect(await once("0", "x", run)).toBe(5_002)
})
