import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import {
  addDays,
  addYears,
  daysBetween,
  InvalidLocalDate,
  type LocalDate,
  parseLocalDate,
  dayOfWeek,
} from "@pixcharge/core/calendar"
import { addMonths, dateDay, dateMonth, dateYear, monthsBetween } from "../../src/model/calendar/LocalDate.ts"

if (process.env["LONG"]) vi.setConfig({ testTimeout: 300_000 })

const date = (text: string): LocalDate => Result.getOrThrow(parseLocalDate(text))

const dayMs = 86_400_000
const first = Date.parse("0001-01-01") / dayMs
const last = Date.parse("9999-12-31") / dayMs

/** The host's Gregorian calendar in UTC, as an oracle. */
const toDate = (epochDay: number): LocalDate => new Date(epochDay * dayMs).toISOString().slice(0, 10) as LocalDate

const epochDays = fc.integer({ min: first, max: last })
const runs = process.env["LONG"] ? 100_000 : 3_000

const part = (max: number, width: number) => fc.nat(max).map((n) => String(n).padStart(width, "0"))

describe("parseLocalDate", () => {
  it.each(["0001-01-01", "9999-12-31", "2024-02-29", "2000-02-29", "2026-11-20", "1900-02-28", "2026-04-30"])(
    "accepts the existing day %s",
    (text) => {
      expect(date(text)).toBe(text)
    },
  )

  it.each([
    "0000-12-31",
    "2026-02-29",
    "1900-02-29",
    "2100-02-29",
    "2026-02-30",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-01-32",
    "2026-1-01",
    "26-01-01",
    "02026-01-01",
    "2026/01/01",
    "20260101",
    "2026-01-01T00:00:00",
    "2026-01-01\n",
    " 2026-01-01",
    "2026-01-01 2026-01-01",
    "２０２６-01-01",
    "-026-01-01",
    "01/01/2026",
    "",
  ])("refuses %j", (text) => {
    const error = Result.getOrThrow(Result.flip(parseLocalDate(text)))
    expect(error).toBeInstanceOf(InvalidLocalDate)
    expect(error).toMatchObject({ _tag: "InvalidLocalDate", code: "PIX_INVALID_LOCAL_DATE" })
    expect(error.message).toBe("A date must be an existing day from 0001-01-01 to 9999-12-31, written YYYY-MM-DD.")
  })

  it("accepts exactly the host's days among all eight-digit dates", () => {
    fc.assert(
      fc.property(part(9999, 4), part(14, 2), part(33, 2), (year, month, day) => {
        const text = `${year}-${month}-${day}`
        const ms = Date.parse(text)
        const exists = year !== "0000" && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
        expect(Result.isSuccess(parseLocalDate(text))).toBe(exists)
      }),
      { numRuns: runs },
    )
  })
})

describe("counting days", () => {
  it("agrees with the host on every day from 1900 to 2199", () => {
    let day = date("1899-12-31")
    for (let epochDay = Date.parse("1900-01-01") / dayMs; epochDay < Date.parse("2200-01-01") / dayMs; epochDay++) {
      day = addDays(day, 1)
      const host = new Date(epochDay * dayMs)
      if (
        day !== toDate(epochDay) ||
        dayOfWeek(day) !== host.getUTCDay() ||
        dateYear(day) !== host.getUTCFullYear() ||
        dateMonth(day) !== host.getUTCMonth() + 1 ||
        dateDay(day) !== host.getUTCDate()
      ) {
        expect.fail(`${day} is not ${host.toISOString()}`)
      }
    }
    expect(day).toBe("2199-12-31")
  })

  it("agrees with the host between any two days of the years 1 to 9999", () => {
    fc.assert(
      fc.property(epochDays, epochDays, (from, to) => {
        expect(addDays(toDate(from), to - from)).toBe(toDate(to))
        expect(daysBetween(toDate(from), toDate(to))).toBe(to - from)
        expect(dayOfWeek(toDate(from))).toBe(new Date(from * dayMs).getUTCDay())
        expect(toDate(from) < toDate(to)).toBe(from < to)
      }),
      { numRuns: runs },
    )
  })

  it.each([1, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "addDays throws outside the years 1 to 9999 and for partial days (%d)",
    (days) => {
      const edge = days < 0 ? date("0001-01-01") : date("9999-12-31")
      const epochDay = Date.parse(edge) / dayMs + days
      expect(() => addDays(edge, days)).toThrow(
        new RangeError(`no date of the years 0001 to 9999 lies ${epochDay} days from 1970-01-01`),
      )
    },
  )

  it("addDays throws for a fraction of a day", () => {
    expect(() => addDays(date("2026-11-20"), 0.5)).toThrow(RangeError)
  })
})

describe("counting years", () => {
  it.each([
    ["2026-11-20", 5, "2031-11-20"],
    ["2024-02-29", 1, "2025-02-28"],
    ["2024-02-29", 4, "2028-02-29"],
    ["2096-02-29", 4, "2100-02-28"],
    ["2025-02-28", -1, "2024-02-28"],
    ["2024-02-29", -24, "2000-02-29"],
    ["1000-05-05", -1, "0999-05-05"],
    ["2026-12-31", 0, "2026-12-31"],
  ])("moves %s by %d years to %s", (text, years, expected) => {
    expect(addYears(date(text), years)).toBe(expected)
  })

  it("addYears always gives an existing day", () => {
    fc.assert(
      fc.property(epochDays, fc.integer({ min: -50, max: 50 }), (epochDay, years) => {
        const from = toDate(epochDay)
        const year = dateYear(from) + years
        if (year >= 1 && year <= 9999)
          expect(date(addYears(from, years)).startsWith(String(year).padStart(4, "0"))).toBe(true)
        else expect(() => addYears(from, years)).toThrow(new RangeError(`no date has the year ${year}`))
      }),
      { numRuns: runs },
    )
  })

  it("addYears throws for a fraction of a year", () => {
    expect(() => addYears(date("2026-11-20"), 0.5)).toThrow(RangeError)
  })

  it("addYears throws outside the years 1 to 9999", () => {
    expect(addYears(date("9998-11-20"), 1)).toBe("9999-11-20")
    expect(addYears(date("0002-11-20"), -1)).toBe("0001-11-20")
    expect(() => addYears(date("9999-11-20"), 1)).toThrow(new RangeError("no date has the year 10000"))
    expect(() => addYears(date("0001-11-20"), -1)).toThrow(new RangeError("no date has the year 0"))
  })
})

describe("counting months", () => {
  it.each([
    ["2025-10-31", 1, "2025-11-30"],
    ["2025-10-31", 4, "2026-02-28"],
    ["2023-10-31", 4, "2024-02-29"],
    ["2026-12-15", 1, "2027-01-15"],
    ["2026-01-31", -2, "2025-11-30"],
    ["2024-02-29", 12, "2025-02-28"],
    ["2026-11-20", 0, "2026-11-20"],
    ["0001-02-01", -1, "0001-01-01"],
  ])("moves %s by %d months to %s", (text, months, expected) => {
    expect(addMonths(date(text), months)).toBe(expected)
  })

  it("addMonths gives the same day, or the last day of a shorter month", () => {
    fc.assert(
      fc.property(epochDays, fc.integer({ min: -1_000, max: 1_000 }), (epochDay, months) => {
        const from = toDate(epochDay)
        const moved = new Date(`${from}T00:00:00Z`)
        moved.setUTCDate(1)
        moved.setUTCMonth(moved.getUTCMonth() + months)
        const [year, month] = [moved.getUTCFullYear(), moved.getUTCMonth()]
        if (year < 1 || year > 9999) {
          expect(() => addMonths(from, months)).toThrow(RangeError)
          return
        }
        // Day 0 is the last day of the month before.
        moved.setUTCFullYear(year, month + 1, 0)
        moved.setUTCFullYear(year, month, Math.min(dateDay(from), moved.getUTCDate()))
        const to = addMonths(from, months)
        expect(to).toBe(moved.toISOString().slice(0, 10))
        expect(monthsBetween(from, to)).toBe(months)
      }),
      { numRuns: runs },
    )
  })

  it("addMonths throws for a fraction of a month", () => {
    expect(() => addMonths(date("2026-11-20"), 0.5)).toThrow(RangeError)
  })
})
