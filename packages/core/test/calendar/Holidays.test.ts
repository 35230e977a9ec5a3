import { readFileSync } from "node:fs"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import {
  addDays,
  isBusinessDay,
  type LocalDate,
  nationalBankHolidays,
  nationalHolidays,
  parseLocalDate,
  dayOfWeek,
  withHolidays,
} from "@pixcharge/core/calendar"

const date = (text: string): LocalDate => Result.getOrThrow(parseLocalDate(text))

const official: ReadonlyArray<{ date: string; weekday: string; name: string }> = JSON.parse(
  readFileSync(new URL("holidays.json", import.meta.url), "utf8"),
)

const everyDay = function* (from: string, to: string): Generator<LocalDate> {
  for (let day = date(from); day <= to; day = addDays(day, 1)) yield day
}

/** Easter by another algorithm than the source's: J.-M. Oudin (1940). */
const easterSunday = (year: number): LocalDate => {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const k = Math.floor((century - 17) / 25)
  let i = (century - Math.floor(century / 4) - Math.floor((century - k) / 3) + 19 * golden + 15) % 30
  i -= Math.floor(i / 28) * (1 - Math.floor(i / 28) * Math.floor(29 / (i + 1)) * Math.floor((21 - golden) / 11))
  const j = (year + Math.floor(year / 4) + i + 2 - century + Math.floor(century / 4)) % 7
  const month = 3 + Math.floor((i - j + 40) / 44)
  const day = i - j + 28 - 31 * Math.floor(month / 4)
  return date(`${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`)
}

describe("the national bank holidays", () => {
  it.each(official)("$date ($weekday) is $name", ({ date: text, name, weekday }) => {
    expect(nationalBankHolidays.isHoliday(date(text))).toBe(true)
    expect(nationalHolidays(Number(text.slice(0, 4))).get(date(text))).toBe(name)
    expect(["sun", "mon", "tue", "wed", "thu", "fri", "sat"][dayOfWeek(date(text))]).toBe(weekday)
  })

  it("are exactly the 204 listed days from 2020 to 2035", () => {
    const found = [...everyDay("2020-01-01", "2035-12-31")].filter((day) => nationalBankHolidays.isHoliday(day))
    expect(found).toEqual(official.map((holiday) => holiday.date))
    const byYear = Array.from({ length: 16 }, (_, index) => [...nationalHolidays(2020 + index).keys()]).flat()
    expect(byYear).toEqual(found)
  })

  it("are as many as ANBIMA lists from 2001 to 2099: 1263, with 1013 on weekdays", () => {
    const found = [...everyDay("2001-01-01", "2099-12-31")].filter((day) => nationalBankHolidays.isHoliday(day))
    expect(found).toHaveLength(1263)
    expect(found.filter((day) => dayOfWeek(day) % 6 !== 0)).toHaveLength(1013)
  })

  it("move with Easter, as an independent algorithm computes it", () => {
    const years = Array.from({ length: 9999 - 1582 }, (_, index) => 1583 + index)
    const wrong = years.map(easterSunday).flatMap((easter) => [
      ...(dayOfWeek(easter) === 0 ? [] : [`${easter} is no Sunday`]),
      ...[-48, -47, -2, 60]
        .map((offset) => addDays(easter, offset))
        .filter((day) => !nationalBankHolidays.isHoliday(day))
        .map((day) => `${day} is no holiday`),
    ])
    expect(wrong).toEqual([])
  })

  it.each([
    ["2026-02-18", "Ash Wednesday"],
    ["2026-04-02", "Holy Thursday"],
    ["2026-12-24", "24 December"],
    ["2026-12-31", "31 December"],
    ["2026-10-28", "the public servants' day"],
    ["2023-11-20", "20 November before it became national"],
    ["2020-05-20", "Corpus Christi as São Paulo brought it forward in 2020"],
  ])("%s, %s, is a business day", (text) => {
    expect(isBusinessDay(date(text))).toBe(true)
  })

  it("include 20 November from 2024 on, because its law is of December 2023", () => {
    const closed = [2022, 2023, 2024, 2025, 2026].filter((year) =>
      nationalBankHolidays.isHoliday(date(`${year}-11-20`)),
    )
    expect(closed).toEqual([2024, 2025, 2026])
  })

  it("count once if two fall on one day, as on 2079-04-21", () => {
    expect(nationalHolidays(2079).size).toBe(12)
    expect(nationalHolidays(2079).get(date("2079-04-21"))).toBe("Tiradentes")
    expect(nationalBankHolidays.isHoliday(date("2079-04-21"))).toBe(true)
  })
})

describe("a host's own calendar", () => {
  const saoPaulo = withHolidays(nationalBankHolidays, [date("2026-01-25"), date("2026-07-09")])

  it("withHolidays adds only the given days to a calendar", () => {
    expect(isBusinessDay(date("2026-07-09"), saoPaulo)).toBe(false)
    expect(isBusinessDay(date("2026-07-09"))).toBe(true)
    const differing = [...everyDay("2026-01-01", "2026-12-31")].filter(
      (day) => saoPaulo.isHoliday(day) !== nationalBankHolidays.isHoliday(day),
    )
    expect(differing).toEqual(["2026-01-25", "2026-07-09"])
  })

  it("withHolidays doesn't notice later changes of the given list", () => {
    const list = [date("2026-07-09")]
    const holidays = withHolidays(nationalBankHolidays, list)
    list.push(date("2026-07-10"))
    expect(holidays.isHoliday(date("2026-07-10"))).toBe(false)
  })

  it("a host's own object can replace the national calendar", () => {
    expect(isBusinessDay(date("2026-12-25"), { isHoliday: () => false })).toBe(true)
    expect(isBusinessDay(date("2026-12-26"), { isHoliday: () => false })).toBe(false)
  })
})
