import { expect, it } from "vitest"
import { median, type Point, robustSlope } from "../judge/robustSlope.ts"

it("the median of an even number lies between the middle two, and that of nothing is 0", () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, 0])
})

it("a line has its slope, whatever a quarter of its points are", () => {
  const points = Array.from({ length: 40 }, (_, x): Point => [x, x % 4 === 0 ? 1_000 * x : 7 + 2 * x])
  expect(robustSlope(points)).toBeCloseTo(2, 6)
})

it("one point has no slope", () => {
  expect(robustSlope([[1, 1]])).toBe(0)
})
