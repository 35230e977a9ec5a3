import { expect, it } from "vitest"
import { ratioTable, replaceFigures, shownFigures } from "../report.ts"

const line = { what: "write", peer: "another", ratio: 2.5, goal: 2 }

const lastRow = (rounds: number): string | undefined =>
  ratioTable([{ ...line, spread: { rounds, from: 2.25, until: 12.4 } }])
    .split("\n")
    .at(-1)

it("shows the quartiles of many rounds", () => {
  expect(lastRow(11)).toBe("| write | another | 2.50x | 2.00x | 2.25x to 12x |")
})

it("shows the minimum, the maximum and the number of rounds if there are fewer than five", () => {
  expect(lastRow(4)).toBe("| write | another | 2.50x | 2.00x | 2.25x to 12x, all of 4 |")
})

it("says that a row was measured once", () => {
  expect(lastRow(1)).toBe("| write | another | 2.50x | 2.00x | one run |")
})

it("shows a goal with the framework's limit, and says that a goal is beyond the limit", () => {
  const goalWith = (limit: number) =>
    ratioTable([{ ...line, spread: { rounds: 1, from: 1, until: 1 }, limit }])
      .split("\n")
      .at(-1)
      ?.split(" | ")[3]
  expect(goalWith(2.92)).toBe("2.00x of a bare route's 2.92x")
  expect(goalWith(1.9)).toBe("2.00x, beyond a bare route's 1.90x")
})

it("writes figures and versions into a README of any language", () => {
  const rows = [
    "pix-utils 2.8.2",
    "pg, um",
    "pg-boss 10",
    "graphile-worker 0.16",
    "Express 5, zod e pg",
    "o mesmo, ajustado",
    "uma rota Express vazia",
  ]
  const table = ["| O quê | Comparado com | O nosso é |", ...rows.map((peer) => `| algo | ${peer} | 1.00x |`)].join(
    "\n",
  )
  const peers = [
    "pix-utils 3.0.0",
    "pg 9.1.0, one",
    "pg-boss 12.38.0",
    "graphile-worker 0.18.0",
    "express 5.3.0 + pg",
    "express 5.3.0 + pg, tuned",
    "bare express 5.3.0 route",
  ]
  const measured = shownFigures.map(([what], index) => ({
    ...line,
    what,
    peer: peers[index] ?? "",
    ratio: index + 2,
    spread: { rounds: 1, from: 1, until: 1 },
  }))
  const other = { ...(measured[1] as (typeof measured)[number]), peer: "pgbench, the same row", ratio: 9 }
  expect(
    replaceFigures(table, [other, ...measured])
      .split("\n")
      .slice(1),
  ).toEqual([
    "| algo | pix-utils 3.0.0 | 2.00x |",
    "| algo | pg 9.1.0, um | 3.00x |",
    "| algo | pg-boss 12.38.0 | 4.00x |",
    "| algo | graphile-worker 0.18.0 | 5.00x |",
    "| algo | Express 5.3.0, zod e pg | 6.00x |",
    "| algo | o mesmo, ajustado | 7.00x |",
    "| algo | uma rota Express 5.3.0 vazia | 8.00x |",
  ])
})

it("rejects a README whose table has more or fewer rows than figures", () => {
  const measured = shownFigures.map(([what, peer]) => ({
    ...line,
    what,
    peer,
    spread: { rounds: 1, from: 1, until: 1 },
  }))
  expect(() => replaceFigures("| algo | pg | 1.00x |", measured)).toThrow("the table has 1 rows for 7 figures")
})
