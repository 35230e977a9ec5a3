import { expect, it } from "vitest"
import { readText } from "./pages.ts"

const page = readText("docs/scaling.md")

/** The rows of the table whose head begins so, as cells. */
const rowsBelow = (head: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [, table = ""] = page.split(`\n| ${head} `)
  const [lines = ""] = table.split("\n\n")
  const rows = lines.split("\n").slice(2)
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const units: Readonly<Record<string, number>> = { M: 1e6, GB: 1e9, TB: 1e12 }
const numberIn = (cell = ""): number => {
  const [, digits = "", unit = ""] = /^([\d. ]+?) ?([A-Z]*)$/.exec(cell) ?? []
  return Number(digits.replaceAll(" ", "")) * (units[unit] ?? 1)
}

const steps = rowsBelow("Step")

/** What a charge takes of something, of all steps of its life. */
const eachCharge = (column: number): number =>
  steps.reduce((sum, cells) => sum + numberIn(cells[1]) * numberIn(cells[column]), 0)

const [log, sessionsMicroseconds, kept] = [2, 3, 4].map(eachCharge) as [number, number, number]

it("what a charge takes of the database is the sum of its steps", () => {
  expect(steps.length).toBe(5)
  const said = `Together ${(log / 1e3).toFixed(1)} kB of log, ${(sessionsMicroseconds / 1e3).toFixed(2)} ms of Postgres and ${(kept / 1e3).toFixed(2)} kB that stay.`
  expect(page).toContain(said)
})

const days = rowsBelow("A day of")

it("there are days to reckon", () => {
  expect(days.length).toBe(4)
})

it.each(days)("what a day takes follows from what a charge takes: %s", (_, ...cells) => {
  const [payments = 0, charges = 0, ...found] = cells.map(numberIn)
  const hostSeconds = (3 * numberIn(/takes ([\d.]+) ms of its host process/.exec(page)?.[1])) / 1e3
  const busiest = (3 * charges) / 86_400
  const expected = [
    busiest,
    busiest * hostSeconds,
    (busiest * sessionsMicroseconds) / 1e6,
    (busiest * log) / 1e6,
    charges * log,
    charges * kept,
  ]
  const differences = expected.map((value, at) => Math.abs((found[at] ?? 0) / value - 1))
  expect(found.length).toBe(expected.length)
  expect(Math.abs(payments / charges / 0.6 - 1)).toBeLessThan(0.01)
  // As much as rounding to two digits makes of it.
  expect(Math.max(...differences)).toBeLessThan(0.1)
})
