import { nationalBankHolidays, withHolidays } from "@pixcharge/core/calendar"
import { requestableUntil, cycleSchedule, type RecurrencePeriod } from "@pixcharge/core/recurrence"
import { readFileSync } from "node:fs"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anyTerms, day, daysFromTo, inBrasilia, plusDays } from "./recurring.ts"

const scheduleOn = (dueDate: string, period: RecurrencePeriod = "monthly", local: ReadonlyArray<string> = []) => {
  const found = cycleSchedule(
    { period, startDate: day(dueDate) },
    1,
    withHolidays(nationalBankHolidays, local.map(day)),
  )
  if (found === undefined) throw new Error("expected a schedule")
  return { ...found, opens: iso(found.opensAt), closes: iso(found.closesAt), cancellable: iso(found.cancellableUntil) }
}

const iso = (at: number): string => new Date(at).toISOString()

/** Holidays as published by banks. */
const official: ReadonlyArray<{ date: string }> = JSON.parse(
  readFileSync(new URL("../calendar/holidays.json", import.meta.url), "utf8"),
)
const listed = new Set(official.map(({ date }) => date))
const isOpenBank = (date: string, local: ReadonlyArray<string>): boolean =>
  new Date(date).getUTCDay() % 6 !== 0 && !listed.has(date) && !local.includes(date)

describe("cycleSchedule", () => {
  it("intersects both readings of the window before a holiday and weekend", () => {
    expect(scheduleOn("2026-11-20")).toMatchObject({
      settlesOn: "2026-11-23",
      opens: "2026-11-16T12:00:00.000Z",
      closes: "2026-11-19T01:00:00.000Z",
      cancellable: "2026-11-23T01:00:00.000Z",
      retryDays: ["2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27"],
    })
  })

  it("schedules a cycle that is due on a Thursday", () => {
    const week = ["11", "12", "13", "14", "15", "16", "17"]
    expect(scheduleOn("2026-12-10")).toMatchObject({
      settlesOn: "2026-12-10",
      opens: "2026-12-01T12:00:00.000Z",
      closes: "2026-12-09T01:00:00.000Z",
      cancellable: "2026-12-10T01:00:00.000Z",
      retryDays: week.map((date) => `2026-12-${date}`),
    })
  })

  it("schedules a cycle that is due on Christmas Day", () => {
    expect(scheduleOn("2026-12-25")).toMatchObject({
      settlesOn: "2026-12-28",
      opens: "2026-12-21T12:00:00.000Z",
      closes: "2026-12-24T01:00:00.000Z",
      retryDays: ["2026-12-29", "2026-12-30", "2026-12-31", "2027-01-01"],
    })
  })

  it("schedules a weekly cycle with a holiday in its window, with retries inside the week", () => {
    expect(scheduleOn("2026-11-24", "weekly")).toMatchObject({
      settlesOn: "2026-11-24",
      opens: "2026-11-16T12:00:00.000Z",
      closes: "2026-11-20T01:00:00.000Z",
      retryDays: ["2026-11-25", "2026-11-26", "2026-11-27", "2026-11-28", "2026-11-29"],
    })
  })

  it("moves the debit to after a city's closed days, and the window to before them", () => {
    // 25 January is a Monday and São Paulo's anniversary.
    expect(scheduleOn("2027-01-25").settlesOn).toBe("2027-01-25")
    expect(scheduleOn("2027-01-25", "monthly", ["2027-01-25"])).toMatchObject({
      settlesOn: "2027-01-26",
      opens: "2027-01-18T12:00:00.000Z",
      closes: "2027-01-22T01:00:00.000Z",
      retryDays: ["27", "28", "29", "30", "31"].map((date) => `2027-01-${date}`).concat("2027-02-01"),
    })
  })

  it("returns undefined if closed days leave no window", () => {
    const closed = Array.from({ length: 12 }, (_, days) => plusDays("2026-12-10", -1 - days))
    const holidays = withHolidays(nationalBankHolidays, closed)
    expect(cycleSchedule({ period: "monthly", startDate: day("2026-12-10") }, 1, holidays)).toBeUndefined()
  })

  it("accepts any due date inside the cycle, and ends retries with the cycle", () => {
    const terms = { period: "monthly", startDate: day("2026-12-01") } as const
    const found = cycleSchedule(terms, 1, nationalBankHolidays, day("2026-12-29"))
    expect(found).toMatchObject({
      dueDate: "2026-12-29",
      settlesOn: "2026-12-29",
      retryDays: ["2026-12-30", "2026-12-31"],
    })
  })

  it("satisfies every reading of the rules for window and retries, on any day and in any city", () => {
    // The list of holidays covers 2020 to 2035.
    const dueDates = fc.integer({ min: 0, max: 3200 }).map((days) => plusDays("2026-01-20", days))
    const cities = fc.uniqueArray(fc.integer({ min: -12, max: 4 }), { maxLength: 3 })
    fc.assert(
      fc.property(dueDates, anyTerms, cities, (startDate, { period }, offsets) => {
        const local = offsets.map((offset) => plusDays(startDate, offset))
        const found = cycleSchedule({ period, startDate }, 1, withHolidays(nationalBankHolidays, local))
        if (found === undefined) return
        const { settlesOn, retryDays } = found
        expect(isOpenBank(settlesOn, local)).toBe(true)
        expect(
          Array.from({ length: daysFromTo(startDate, settlesOn) }, (_, n) => plusDays(startDate, n)).filter((date) =>
            isOpenBank(date, local),
          ),
        ).toEqual([])
        const [opensOn, closesOn] = [found.opensAt, found.closesAt].map((at) => iso(at - 3 * 3_600_000).slice(0, 10))
        if (opensOn === undefined || closesOn === undefined) throw new Error("expected two days")
        expect([found.opensAt, found.closesAt]).toEqual([inBrasilia(opensOn, 9), inBrasilia(closesOn, 22)])
        expect(isOpenBank(opensOn, local) && opensOn <= closesOn).toBe(true)
        expect(daysFromTo(opensOn, settlesOn)).toBeLessThanOrEqual(10)
        // A holiday of the payer's city, which we don't know, can delay the debit by a business day.
        const putOff = [1, 2, 3, 4, 5, 6, 7, 8]
          .map((n) => plusDays(settlesOn, n))
          .find((date) => isOpenBank(date, local))
        expect(daysFromTo(opensOn, putOff ?? settlesOn)).toBeLessThanOrEqual(10)
        expect(daysFromTo(closesOn, startDate)).toBeGreaterThanOrEqual(2)
        const between = Array.from({ length: daysFromTo(closesOn, settlesOn) }, (_, n) => plusDays(closesOn, n))
        expect(between.filter((date) => isOpenBank(date, local)).length).toBeGreaterThanOrEqual(2)
        expect(found.cancellableUntil).toBe(inBrasilia(plusDays(settlesOn, -1), 22))
        expect(new Set(retryDays).size).toBe(retryDays.length)
        for (const date of retryDays) {
          expect(date > settlesOn && daysFromTo(startDate, date) <= (period === "weekly" ? 5 : 7)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it("allows requests until 22:00 of the day before", () => {
    expect(iso(requestableUntil(day("2026-12-11")))).toBe("2026-12-11T01:00:00.000Z")
    expect(iso(requestableUntil(day("2027-01-01")))).toBe("2027-01-01T01:00:00.000Z")
  })
})
