import { expect, it } from "vitest"
import { leastShare } from "../goals.ts"
import { changeText, summary } from "../report.ts"
import type { Judged } from "../runStryker.ts"

const makeJudged = (status: Judged["status"], line = 1) => ({
  id: String(line),
  fileName: "packages/core/src/a.ts",
  mutatorName: "EqualityOperator",
  status,
  location: { start: { line, column: 1 }, end: { line, column: 6 } },
  original: "a < b",
  replacement: "a <= b",
})

it("shows a change in long code with some code around it", () => {
  const text = (sign: string) => `${"x".repeat(90)} AND\n    a ${sign} b ${"y".repeat(90)}`
  expect(changeText(text("<"), text("<>"))).toEqual([
    `${"x".repeat(12)} AND a < b ${"y".repeat(21)}`,
    `${"x".repeat(12)} AND a <> b ${"y".repeat(21)}`,
  ])
})

it("counts mutants without a test as survived, and ignores unjudged ones", () => {
  const statuses = ["Killed", "Killed", "Timeout", "Survived", "NoCoverage"] as const
  const others = ["RuntimeError", "CompileError", "Ignored"] as const
  const { text, share, total } = summary(
    "core",
    [...statuses, ...others].map((status, index) => makeJudged(status, index + 1)),
  )
  expect([share, total]).toEqual([3 / 5, 5])
  expect(text).toBe(
    [
      "- packages/core/src/a.ts:4 EqualityOperator\n    - a < b\n    + a <= b",
      "- packages/core/src/a.ts:5 EqualityOperator (no test reaches it)\n    - a < b\n    + a <= b",
      "core: 5 mutants, 2 killed, 1 timed out, 1 survived, 1 without a test; killed 60.0 %",
    ].join("\n"),
  )
})

it("allows a sample three standard deviations below the goal", () => {
  expect(leastShare(0.9, 100)).toBeCloseTo(0.81, 10)
  expect(leastShare(0.9, 900)).toBeCloseTo(0.87, 10)
})
