import { type LocalDate, nationalBankHolidays, withHolidays } from "@pixcharge/core/calendar"
import { describe, expect, it } from "vitest"
import { keepDays, keptHolidays } from "../../src/model/calendar/BusinessDay.ts"

const date = (text: string) => text as LocalDate

/** Carnival is on 8 and 9 February 2027, a Monday and a Tuesday. */
const kept = keepDays(withHolidays(nationalBankHolidays, [date("2027-02-11")]), date("2027-02-05"), date("2027-02-12"))

describe("kept days", () => {
  it("are the closed days of a range, except weekends", () => {
    expect(kept).toEqual({
      from: "2027-02-05",
      until: "2027-02-12",
      closed: ["2027-02-08", "2027-02-09", "2027-02-11"],
    })
    expect(keepDays(nationalBankHolidays, date("2027-02-08"), date("2027-02-08")).closed).toEqual(["2027-02-08"])
  })

  it("decide on the days of their range; another calendar decides on other days", () => {
    const everyDay = { isHoliday: () => true }
    const never = { isHoliday: () => false }
    const days = ["2027-02-04", "2027-02-05", "2027-02-08", "2027-02-11", "2027-02-12", "2027-02-13"].map(date)
    expect(days.map(keptHolidays(kept, everyDay).isHoliday)).toEqual([true, false, true, true, false, true])
    expect(days.map(keptHolidays(kept, never).isHoliday)).toEqual([false, false, true, true, false, false])
  })
})
