import { expect, it } from "vitest"
import { type Point, robustSlope } from "../robustSlope.ts"

it("a line keeps its slope when a quarter of its points lie elsewhere", () => {
  const points = Array.from({ length: 40 }, (_, x): Point => [x, x % 4 === 0 ? 1_000 * x : 7 + 2 * x])
  expect(robustSlope(points)).toBeCloseTo(2, 6)
})

it("one point has no slope", () => {
  expect(robustSlope([[1, 1]])).toBe(0)
})
