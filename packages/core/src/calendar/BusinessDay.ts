import { type Holidays, nationalBankHolidays } from "./Holidays.ts"
import { epochDayOf, type LocalDate, localDateOf, weekdayOfEpochDay } from "./LocalDate.ts"

const isWeekend = (epochDay: number): boolean => {
  const weekday = weekdayOfEpochDay(epochDay)
  return weekday === 0 || weekday === 6
}

/** A business day is no Saturday, no Sunday and no holiday; without a calendar, no national bank holiday. */
export const isBusinessDay = (date: LocalDate, holidays: Holidays = nationalBankHolidays): boolean =>
  !isWeekend(epochDayOf(date)) && !holidays.isHoliday(date)

/** A calendar that leaves no business day for so long is a mistake, and must not hold the process for ever. */
const longestClosure = 366

/** The nearest business day strictly after (`by` 1) or before (`by` -1) a day. */
const nearestBusinessDay = (epochDay: number, by: 1 | -1, holidays: Holidays): LocalDate => {
  for (let day = epochDay + by; Math.abs(day - epochDay) <= longestClosure; day += by) {
    // A date is a text, so none is made for a weekend.
    if (isWeekend(day)) continue
    const date = localDateOf(day)
    if (!holidays.isHoliday(date)) return date
  }
  throw new RangeError(`no business day within ${longestClosure} days of ${localDateOf(epochDay)}`)
}

/**
 * The day itself if it is a business day, and otherwise the first business day after it: where a due date moves to
 * (Lei 7.089/1983; API Pix, `dataDeVencimento`). For the day strictly after, use `addBusinessDays(date, 1)`.
 *
 * Throws a RangeError for a calendar that is closed for more than a year.
 */
export const nextBusinessDay = (date: LocalDate, holidays: Holidays = nationalBankHolidays): LocalDate => {
  const epochDay = epochDayOf(date)
  return isWeekend(epochDay) || holidays.isHoliday(date) ? nearestBusinessDay(epochDay, 1, holidays) : date
}

/**
 * The nth business day strictly after a day, or before it where `n` is negative; with 0 the day itself, even when it is
 * closed. Throws a RangeError for an `n` that is no whole number, and for a calendar closed for more than a year.
 */
export const addBusinessDays = (date: LocalDate, n: number, holidays: Holidays = nationalBankHolidays): LocalDate => {
  if (!Number.isSafeInteger(n)) throw new RangeError(`business days must be a whole number, not ${n}`)
  let day = date
  for (let left = Math.abs(n); left > 0; left--) day = nearestBusinessDay(epochDayOf(day), n > 0 ? 1 : -1, holidays)
  return day
}

/**
 * How many business days one steps on when walking from one day to another: `from` isn't counted, `to` is, if it is a
 * business day. Negative when `to` is earlier.
 *
 * So it undoes `addBusinessDays`: `businessDaysBetween(date, addBusinessDays(date, n))` is `n` for every date. Between
 * two business days it is what the market counts (ANBIMA), in either direction.
 */
export const businessDaysBetween = (
  from: LocalDate,
  to: LocalDate,
  holidays: Holidays = nationalBankHolidays,
): number => {
  const end = epochDayOf(to)
  const by = from <= to ? 1 : -1
  let count = 0
  for (let day = epochDayOf(from); day !== end;) {
    day += by
    if (!isWeekend(day) && !holidays.isHoliday(localDateOf(day))) count += by
  }
  return count
}
