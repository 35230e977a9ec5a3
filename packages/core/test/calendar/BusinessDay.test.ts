import { readFileSync } from "node:fs"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import {
  addBusinessDays,
  addDays,
  businessDaysBetween,
  type Holidays,
  isBusinessDay,
  type LocalDate,
  nationalBankHolidays,
  nextBusinessDay,
  parseLocalDate,
  withHolidays,
} from "@pixcharge/core/calendar"

if (process.env["LONG"]) vi.setConfig({ testTimeout: 300_000 })

const date = (text: string): LocalDate => Result.getOrThrow(parseLocalDate(text))

const official: ReadonlyArray<{ date: string }> = JSON.parse(
  readFileSync(new URL("holidays.json", import.meta.url), "utf8"),
)

const dayMs = 86_400_000
const closed = new Set(official.map((holiday) => holiday.date))

/** Independent of the source: the host's weekday and the official list. */
const isOpen = (epochDay: number): boolean => {
  const day = new Date(epochDay * dayMs)
  return day.getUTCDay() % 6 !== 0 && !closed.has(day.toISOString().slice(0, 10))
}
const toDate = (epochDay: number): LocalDate => new Date(epochDay * dayMs).toISOString().slice(0, 10) as LocalDate

const listed = fc.integer({ min: Date.parse("2020-01-01") / dayMs, max: Date.parse("2035-12-31") / dayMs })
const dates = fc.integer({ min: Date.parse("1985-01-01") / dayMs, max: Date.parse("2099-12-31") / dayMs }).map(toDate)
const steps = fc.integer({ min: -400, max: 400 })
const calendars: fc.Arbitrary<Holidays> = fc.oneof(
  fc.constant(nationalBankHolidays),
  fc.array(dates, { maxLength: 40 }).map((local) => withHolidays(nationalBankHolidays, local)),
  fc.constant({ isHoliday: () => false }),
)
const runs = process.env["LONG"] ? 20_000 : 500

describe("the next business day", () => {
  it.each([
    ["2026-11-19", "2026-11-19", "a Thursday stays"],
    ["2026-11-20", "2026-11-23", "20 November, a Friday, moves over the weekend"],
    ["2026-11-21", "2026-11-23", "a Saturday moves to Monday"],
    ["2026-11-22", "2026-11-23", "a Sunday moves to Monday"],
    ["2026-02-14", "2026-02-18", "the Saturday of Carnival moves to Ash Wednesday"],
    ["2026-02-16", "2026-02-18", "Carnival Monday moves to Ash Wednesday"],
    ["2026-02-17", "2026-02-18", "Carnival Tuesday moves to Ash Wednesday"],
    ["2025-04-18", "2025-04-22", "Good Friday before a Monday of Tiradentes moves by four days"],
    ["2026-12-31", "2026-12-31", "the last day of the year stays"],
    ["2027-01-01", "2027-01-04", "New Year, a Friday, moves to Monday"],
    ["2023-11-20", "2023-11-20", "20 November 2023 stays"],
    ["2028-12-30", "2029-01-02", "the last Saturday of 2028 moves into the next year, past New Year"],
  ])("for %s is %s: %s", (text, expected) => {
    expect(nextBusinessDay(date(text))).toBe(expected)
  })

  it("agrees with the official list on every day of 16 years", () => {
    for (let day = Date.parse("2020-01-01") / dayMs; day < Date.parse("2035-12-25") / dayMs; day++) {
      let open = day
      while (!isOpen(open)) open++
      expect(nextBusinessDay(toDate(day))).toBe(toDate(open))
      expect(isBusinessDay(toDate(day))).toBe(open === day)
    }
  })

  it("is the first open day on or after the given day, in any calendar", () => {
    fc.assert(
      fc.property(dates, calendars, (from, holidays) => {
        const to = nextBusinessDay(from, holidays)
        expect(isBusinessDay(to, holidays)).toBe(true)
        expect(nextBusinessDay(to, holidays)).toBe(to)
        for (let day = from; day < to; day = addDays(day, 1)) expect(isBusinessDay(day, holidays)).toBe(false)
        expect(to >= from).toBe(true)
      }),
      { numRuns: runs },
    )
  })

  it("follows the calendar's local holidays", () => {
    const holidays = withHolidays(nationalBankHolidays, [date("2026-07-09"), date("2026-07-10")])
    expect(nextBusinessDay(date("2026-07-09"), holidays)).toBe("2026-07-13")
  })

  it("comes even after a year of closed days", () => {
    const closedIn2026 = { isHoliday: (day: LocalDate) => day.startsWith("2026") }
    expect(nextBusinessDay(date("2026-01-01"), closedIn2026)).toBe("2027-01-01")
    expect(addBusinessDays(date("2027-01-01"), -1, closedIn2026)).toBe("2025-12-31")
  })

  it("throws for a calendar that never opens", () => {
    const never = { isHoliday: () => true }
    expect(() => nextBusinessDay(date("2026-11-20"), never)).toThrow(
      new RangeError("no business day within 366 days of 2026-11-20"),
    )
    expect(() => addBusinessDays(date("2026-11-20"), -1, never)).toThrow(RangeError)
  })
})

describe("adding and counting business days", () => {
  it.each([
    ["2026-11-19", 1, "2026-11-23"],
    ["2026-11-23", -1, "2026-11-19"],
    ["2026-11-21", 1, "2026-11-23"],
    ["2026-11-21", -1, "2026-11-19"],
    ["2026-11-21", 0, "2026-11-21"],
    ["2026-12-23", 5, "2026-12-31"],
    ["2026-02-13", 1, "2026-02-18"],
    ["2026-01-01", 249, "2026-12-31"],
  ])("%s plus %d business days is %s", (text, n, expected) => {
    expect(addBusinessDays(date(text), n)).toBe(expected)
    expect(businessDaysBetween(date(text), date(expected))).toBe(n)
  })

  it.each([
    ["2026-11-19", "2026-11-20", 0, "a holiday at the end isn't counted"],
    ["2026-11-20", "2026-11-23", 1, "a business day at the end is counted"],
    ["2026-11-23", "2026-11-24", 1, "a business day at the start isn't counted"],
    ["2026-11-23", "2026-11-20", 0, "backwards, a holiday at the end isn't counted"],
    ["2026-11-23", "2026-11-19", -1, "backwards, a business day at the end is counted"],
    ["2026-11-20", "2026-11-20", 0, "a day is zero business days from itself"],
    ["2025-12-31", "2026-12-31", 249, "2026 has 249 business days"],
  ])("from %s to %s there are %d business days: %s", (from, to, count) => {
    expect(businessDaysBetween(date(from), date(to))).toBe(count)
  })

  it("businessDaysBetween agrees with the official list", () => {
    fc.assert(
      fc.property(listed, listed, (from, to) => {
        let count = 0
        for (
          let day = Math.min(from, to) + (from <= to ? 1 : 0);
          day < Math.max(from, to) + (from <= to ? 1 : 0);
          day++
        ) {
          if (isOpen(day)) count++
        }
        expect(businessDaysBetween(toDate(from), toDate(to))).toBe(from <= to ? count : count === 0 ? 0 : -count)
      }),
      { numRuns: 200 },
    )
  })

  it("businessDaysBetween returns the number that addBusinessDays added, in any calendar", () => {
    fc.assert(
      fc.property(dates, steps, calendars, (from, n, holidays) => {
        expect(businessDaysBetween(from, addBusinessDays(from, n, holidays), holidays)).toBe(n)
      }),
      { numRuns: runs },
    )
  })

  it("addBusinessDays leads back to any business day with the opposite number", () => {
    fc.assert(
      fc.property(dates, steps, calendars, (start, n, holidays) => {
        const from = nextBusinessDay(start, holidays)
        const to = addBusinessDays(from, n, holidays)
        expect(addBusinessDays(to, -n, holidays)).toBe(from)
        expect(businessDaysBetween(to, from, holidays)).toBe(n === 0 ? 0 : -n)
      }),
      { numRuns: runs },
    )
  })

  it("addBusinessDays gives the same day in one step or in two", () => {
    fc.assert(
      fc.property(dates, fc.nat(200), fc.nat(200), calendars, (from, a, b, holidays) => {
        expect(addBusinessDays(addBusinessDays(from, a, holidays), b, holidays)).toBe(
          addBusinessDays(from, a + b, holidays),
        )
      }),
      { numRuns: runs },
    )
  })

  it("businessDaysBetween counts as many days in a period as in its two parts", () => {
    fc.assert(
      fc.property(fc.tuple(dates, fc.nat(500), fc.nat(500)), calendars, ([from, a, b], holidays) => {
        const middle = addDays(from, a)
        const to = addDays(middle, b)
        expect(businessDaysBetween(from, middle, holidays) + businessDaysBetween(middle, to, holidays)).toBe(
          businessDaysBetween(from, to, holidays),
        )
      }),
      { numRuns: runs },
    )
  })

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY])("addBusinessDays throws for %d business days", (n) => {
    expect(() => addBusinessDays(date("2026-11-20"), n)).toThrow(
      new RangeError(`business days must be a whole number, not ${n}`),
    )
  })
})
