import { expect, it } from "vitest"
import { ratioTable } from "../src/report.ts"

const line = { what: "write", peer: "another", ratio: 2.5, goal: 2 }

const lastRow = (rounds: number, goal: number | undefined = line.goal): string | undefined => {
  const { what, peer, ratio } = line
  return ratioTable([{ what, peer, ratio, spread: { rounds, from: 2.25, until: 12.4 }, ...(goal !== 0 && { goal }) }])
    .split("\n")
    .at(-1)
}

it("a row of many rounds has their quartiles", () => {
  expect(lastRow(11)).toBe("| write | another | 2.50x | 2.00x | 2.25x to 12x |")
})

it("a row of fewer than five rounds says that it has the least and the most of so many", () => {
  expect(lastRow(4)).toBe("| write | another | 2.50x | 2.00x | 2.25x to 12x, all of 4 |")
})

it("a row that was measured once says so", () => {
  expect(lastRow(1)).toBe("| write | another | 2.50x | 2.00x | one run |")
})

it("a row without a goal promises nothing", () => {
  expect(lastRow(11, 0)).toBe("| write | another | 2.50x |  | 2.25x to 12x |")
})
