import { expect, it } from "vitest"
import { median, quantile } from "../quantile.ts"

it("a quantile is interpolated between its two neighbouring values", () => {
  expect([quantile([40, 10, 20, 30], 0.25), quantile([10, 20], 1), median([3, 1, 2])]).toEqual([17.5, 20, 2])
})
