import { expect, it } from "vitest"
import { addDays, businessDayFrom, dayAt, findCycle, instantOn } from "../../src/ledger/apiValues.ts"

it("starts cycles on the origin's day of the month, or on the last day of a shorter month", () => {
  const starts = (origin: string, ends: ReadonlyArray<string>) =>
    ends.map((end) => [findCycle(origin, "MENSAL", end), findCycle(origin, "MENSAL", addDays(end, 1))])
  // These examples come from the Open Finance guide.
  expect(starts("2025-10-31", ["2025-11-29", "2025-12-30", "2026-01-30", "2026-02-27", "2026-03-30"])).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
  ])
  expect(findCycle("2025-10-31", "MENSAL", "2025-10-30")).toBeUndefined()
  expect(findCycle("2026-11-24", "SEMANAL", "2026-12-01")).toBe(1)
  expect(findCycle("2024-02-29", "ANUAL", "2025-02-28")).toBe(1)
  expect(findCycle("2026-08-31", "TRIMESTRAL", "2026-11-29")).toBe(0)
  expect(findCycle("2026-08-31", "SEMESTRAL", "2027-02-28")).toBe(1)
})

it("moves a settlement to the next business day", () => {
  const moved = (days: ReadonlyArray<string>) => days.map((day) => businessDayFrom(addDays(day, 0)))
  // These days follow a holiday on a Friday, Christmas on a Friday, Carnival, Good Friday and Corpus Christi of 2026.
  expect(moved(["2026-11-20", "2026-12-25", "2026-02-14", "2026-04-03", "2026-06-04", "2026-12-10"])).toEqual([
    "2026-11-23",
    "2026-12-28",
    "2026-02-18",
    "2026-04-06",
    "2026-06-05",
    "2026-12-10",
  ])
})

it("computes days and hours in Brasília's time", () => {
  expect(dayAt(Date.parse("2026-12-10T02:59:59Z"))).toBe("2026-12-09")
  expect(new Date(instantOn("2026-12-09", 22)).toISOString()).toBe("2026-12-10T01:00:00.000Z")
})
