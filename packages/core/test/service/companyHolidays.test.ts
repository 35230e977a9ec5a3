import { companyHolidays, HolidayCalendar } from "@pixcharge/core"
import { nationalBankHolidays } from "@pixcharge/core/calendar"
import * as Context from "effect/Context"
import { holidayCalendarSuite, localHolidaysSuite } from "@pixcharge/testkit/suites"

const usual = Context.get(Context.empty(), HolidayCalendar)
holidayCalendarSuite("national and local days, as usual", usual)
localHolidaysSuite("national and local days, as usual", usual)
localHolidaysSuite("the function alone", { forCompany: companyHolidays })
holidayCalendarSuite("a host's own", { forCompany: () => nationalBankHolidays })
