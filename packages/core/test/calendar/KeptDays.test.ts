import { type LocalDate, nationalBankHolidays, withHolidays } from "@pixcharge/core/calendar"
import { describe, expect, it } from "vitest"
import { keepDays, keptHolidays } from "../../src/model/calendar/BusinessDay.ts"

const date = (text: string) => text as LocalDate

/** Carnival of 2027 is on 8 and 9 February, a Monday and a Tuesday; 6 and 7 are a weekend. */
const kept = keepDays(withHolidays(nationalBankHolidays, [date("2027-02-11")]), date("2027-02-05"), date("2027-02-12"))

describe("the days of a calendar that were kept", () => {
  it("are the closed ones from the first to the last, except weekends", () => {
    expect(kept).toEqual({
      from: "2027-02-05",
      until: "2027-02-12",
      closed: ["2027-02-08", "2027-02-09", "2027-02-11"],
    })
    expect(keepDays(nationalBankHolidays, date("2027-02-08"), date("2027-02-08")).closed).toEqual(["2027-02-08"])
  })

  it("count for themselves, and another calendar for the days before and after", () => {
    const everyDay = { isHoliday: () => true }
    const never = { isHoliday: () => false }
    const days = ["2027-02-04", "2027-02-05", "2027-02-08", "2027-02-11", "2027-02-12", "2027-02-13"].map(date)
    expect(days.map(keptHolidays(kept, everyDay).isHoliday)).toEqual([true, false, true, true, false, true])
    expect(days.map(keptHolidays(kept, never).isHoliday)).toEqual([false, false, true, true, false, false])
  })
})
