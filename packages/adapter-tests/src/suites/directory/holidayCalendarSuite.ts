import { companyHolidays, type HolidayCalendar } from "@pixcharge/core"
import { chargeExpiry } from "@pixcharge/core/charges"
import { addDays, isBusinessDay, type LocalDate } from "@pixcharge/core/calendar"
import { describe, expect, it } from "vitest"
import { aCompany } from "../../fixtures/index.ts"

const firstDay = "2026-01-01" as LocalDate
const fourYears = 1_461
const days = Array.from({ length: fourYears }, (_, index) => addDays(firstDay, index))

/** Tests of any `HolidayCalendar`. */
export const holidayCalendarSuite = (name: string, calendar: (typeof HolidayCalendar)["Service"]): void => {
  describe(`HolidayCalendar: ${name}`, () => {
    const company = aCompany()
    const holidays = calendar.forCompany(company)

    it("always returns the same answer about a day, and never fails", () => {
      for (const day of days) {
        const answer = holidays.isHoliday(day)
        expect(answer).toBeTypeOf("boolean")
        expect(calendar.forCompany(company).isHoliday(day)).toBe(answer)
      }
    })

    it("returns the same object for the same company, so that callers can use it as a cache key", () => {
      expect(calendar.forCompany(company)).toBe(holidays)
    })

    it("has a business day in every two weeks, to which a due date can move", () => {
      for (const day of days) {
        const fortnight = Array.from({ length: 14 }, (_, index) => addDays(day, index))
        expect(
          fortnight.some((each) => isBusinessDay(each, holidays)),
          day,
        ).toBe(true)
      }
    })

    it("keeps a charge payable at least until the end of its due date", () => {
      for (const dueDate of days.slice(0, 366)) {
        const { payableUntil } = chargeExpiry({ createdAt: 0, dueDate, graceDays: 1, holidays })
        expect(payableUntil).toBeGreaterThan(Date.parse(`${dueDate}T23:59:59-03:00`))
      }
    })
  })
}

/** Tests of a calendar that adds a company's own closed days. */
export const localHolidaysSuite = (name: string, calendar: (typeof HolidayCalendar)["Service"]): void => {
  describe(`HolidayCalendar with local days: ${name}`, () => {
    it("closes a company's local holiday for this company only", () => {
      const monday = "2026-07-13" as LocalDate
      const here = aCompany({ localHolidays: [monday] })
      expect(calendar.forCompany(here).isHoliday(monday)).toBe(true)
      expect(calendar.forCompany(aCompany()).isHoliday(monday)).toBe(false)
      expect(calendar.forCompany(here).isHoliday("2026-12-25" as LocalDate)).toBe(
        companyHolidays(aCompany()).isHoliday("2026-12-25" as LocalDate),
      )
    })
  })
}
