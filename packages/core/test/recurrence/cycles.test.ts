import { cycleEnd, cycleStart, findCycle, hasCycle, type RecurrencePeriod } from "@pixcharge/core/recurrence"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anyDay, anyTerms, day, daysFromTo, plusDays } from "./recurring.ts"

const startsOf = (period: RecurrencePeriod, startDate: string, count: number) =>
  Array.from({ length: count }, (_, index) => cycleStart({ period, startDate: day(startDate) }, index + 1))

/** The day some months later by JavaScript's own calendar, or the last day of a shorter month. */
const monthsLater = (date: string, months: number): string => {
  const [year = 0, month = 0, dayOfMonth = 0] = date.split("-").map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(dayOfMonth, last))
  return first.toISOString().slice(0, 10)
}

const monthsIn = { monthly: 1, quarterly: 3, halfYearly: 6, yearly: 12 }
const anyCycle = fc.integer({ min: 1, max: 120 })

describe("a recurrence's cycles", () => {
  it("begins cycles on the last day of shorter months if the start is the 31st", () => {
    // An example of Open Finance Brasil's guide to Pix Automático, 2.1.
    const terms = { period: "monthly", startDate: day("2025-10-31") } as const
    expect([1, 2, 3, 4, 5].map((cycle) => [cycleStart(terms, cycle), cycleEnd(terms, cycle)])).toEqual([
      ["2025-10-31", "2025-11-29"],
      ["2025-11-30", "2025-12-30"],
      ["2025-12-31", "2026-01-30"],
      ["2026-01-31", "2026-02-27"],
      ["2026-02-28", "2026-03-30"],
    ])
    expect(cycleStart(terms, 6)).toBe("2026-03-31")
  })

  it("keeps the day of the cycles over years with and without a leap day", () => {
    expect(startsOf("yearly", "2024-02-29", 6)).toEqual([
      "2024-02-29",
      "2025-02-28",
      "2026-02-28",
      "2027-02-28",
      "2028-02-29",
      "2029-02-28",
    ])
    expect(startsOf("halfYearly", "2027-08-31", 4)).toEqual(["2027-08-31", "2028-02-29", "2028-08-31", "2029-02-28"])
    expect(startsOf("quarterly", "2026-11-30", 4)).toEqual(["2026-11-30", "2027-02-28", "2027-05-30", "2027-08-30"])
    expect(startsOf("weekly", "2026-12-29", 3)).toEqual(["2026-12-29", "2027-01-05", "2027-01-12"])
  })

  it("begins each cycle whole periods after the start, by JavaScript's own calendar", () => {
    fc.assert(
      fc.property(anyTerms, anyCycle, (terms, cycle) => {
        const { period, startDate } = terms
        const expected =
          period === "weekly"
            ? plusDays(startDate, 7 * (cycle - 1))
            : monthsLater(startDate, monthsIn[period] * (cycle - 1))
        expect(cycleStart(terms, cycle)).toBe(expected)
      }),
    )
  })

  it("leaves no gap or overlap between two cycles", () => {
    fc.assert(
      fc.property(anyTerms, anyCycle, (terms, cycle) => {
        expect(daysFromTo(cycleEnd(terms, cycle), cycleStart(terms, cycle + 1))).toBe(1)
        expect(daysFromTo(cycleStart(terms, cycle), cycleEnd(terms, cycle))).toBeGreaterThan(5)
      }),
    )
  })

  it("finds a cycle by any of its days", () => {
    fc.assert(
      fc.property(anyTerms, anyCycle, (terms, cycle) => {
        expect(findCycle(terms, cycleStart(terms, cycle))).toBe(cycle)
        expect(findCycle(terms, cycleEnd(terms, cycle))).toBe(cycle)
      }),
    )
    fc.assert(
      fc.property(anyTerms, anyDay, (terms, date) => {
        const cycle = findCycle(terms, date)
        if (cycle === undefined) expect(date < terms.startDate).toBe(true)
        else expect(cycleStart(terms, cycle) <= date && date <= cycleEnd(terms, cycle)).toBe(true)
      }),
    )
  })

  it("ends a recurrence with the last cycle that begins by the end date", () => {
    const terms = { period: "monthly", startDate: day("2026-01-31"), endDate: day("2026-03-30") } as const
    expect([0, 1, 2, 3, 4].map((cycle) => hasCycle(terms, cycle))).toEqual([false, true, true, false, false])
    expect(hasCycle({ ...terms, endDate: day("2026-03-31") }, 3)).toBe(true)
    expect(hasCycle({ ...terms, endDate: terms.startDate }, 1)).toBe(true)
    expect(["2026-01-30", "2026-01-31", "2026-03-30", "2026-03-31"].map((date) => findCycle(terms, day(date)))).toEqual(
      [undefined, 1, 2, undefined],
    )
    const short = { ...terms, endDate: day("2026-03-10") }
    expect([findCycle(short, day("2026-03-10")), findCycle(short, day("2026-03-11"))]).toEqual([2, undefined])
  })

  it("allows at most 5000 cycles, all within the calendar", () => {
    const terms = { period: "yearly", startDate: day("2999-12-31") } as const
    expect([5_000, 5_001, 2 ** 53].map((cycle) => hasCycle(terms, cycle))).toEqual([true, false, false])
    expect(cycleStart(terms, 5_001)).toBe("7999-12-31")
  })
})
