import { expect, it } from "vitest"
import { type Point, robustSlope } from "../robustSlope.ts"

it("a line keeps its slope if a quarter of its points are outliers", () => {
  const points = Array.from({ length: 40 }, (_, x): Point => [x, x % 4 === 0 ? 1_000 * x : 7 + 2 * x])
  expect(robustSlope(points)).toBeCloseTo(2, 6)
})

it("one point has the slope 0", () => {
  expect(robustSlope([[1, 1]])).toBe(0)
})
