import { companyHolidays, HolidayCalendar } from "@pixcharge/core"
import { type LocalDate, nationalBankHolidays } from "@pixcharge/core/calendar"
import * as Context from "effect/Context"
import { aCompany } from "@pixcharge/adapter-tests/fixtures"
import { expect, it } from "vitest"
import { holidayCalendarSuite, localHolidaysSuite } from "@pixcharge/adapter-tests/suites"

const usual = Context.get(Context.empty(), HolidayCalendar)
holidayCalendarSuite("national and local days, by default", usual)
localHolidaysSuite("national and local days, by default", usual)
localHolidaysSuite("companyHolidays", { forCompany: companyHolidays })
holidayCalendarSuite("a host's own calendar", { forCompany: () => nationalBankHolidays })

it("companyHolidays reads a company's local holidays only once", () => {
  const company = aCompany({ localHolidays: ["2026-06-08" as LocalDate] })
  expect(companyHolidays(company)).toBe(companyHolidays(company))
})
