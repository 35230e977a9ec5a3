import { isBusinessDay } from "./BusinessDay.ts"
import type { Holidays } from "./Holidays.ts"
import { addDays, dayOfWeek, type LocalDate } from "./LocalDate.ts"

/** The days of a calendar from one day until another, as it had them once. */
export interface KeptDays {
  readonly from: LocalDate
  /** The last of them. */
  readonly until: LocalDate
  /** Those that were closed, except Saturdays and Sundays. */
  readonly closed: ReadonlyArray<LocalDate>
}

/** What the calendar says now of the days from one until another. */
export const keepDays = (holidays: Holidays, from: LocalDate, until: LocalDate): KeptDays => {
  const closed: Array<LocalDate> = []
  for (let day = from; day <= until; day = addDays(day, 1)) {
    if (dayOfWeek(day) % 6 !== 0 && !isBusinessDay(day, holidays)) closed.push(day)
  }
  return { from, until, closed }
}

/** The calendar whose days were kept; of other days it says what another one says now. */
export const keptHolidays = ({ from, until, closed }: KeptDays, otherwise: Holidays): Holidays => ({
  isHoliday: (date) => (date >= from && date <= until ? closed.includes(date) : otherwise.isHoliday(date)),
})
