import { type Holidays, nationalBankHolidays } from "./Holidays.ts"
import { addDays, dayOfWeek, daysBetween, type LocalDate } from "./LocalDate.ts"

const isWeekend = (date: LocalDate): boolean => dayOfWeek(date) % 6 === 0

export const isBusinessDay = (date: LocalDate, holidays: Holidays = nationalBankHolidays): boolean =>
  !isWeekend(date) && !holidays.isHoliday(date)

const maxClosureDays = 366

const nearestBusinessDay = (date: LocalDate, by: number, holidays: Holidays): LocalDate => {
  let day = date
  for (let steps = 0; steps < maxClosureDays; steps++) {
    day = addDays(day, by)
    if (isBusinessDay(day, holidays)) return day
  }
  throw new RangeError(`no business day within ${maxClosureDays} days of ${date}`)
}

/**
 * The day itself if it is a business day, otherwise the next one: due dates move there (Lei 7.089/1983; API Pix,
 * `dataDeVencimento`). Throws a RangeError for a calendar that is closed for more than a year.
 *
 * @example
 * ```ts
 * import { nextBusinessDay, parseLocalDate } from "@pixcharge/core/calendar"
 * import * as Result from "effect/Result"
 *
 * const christmas = Result.getOrThrow(parseLocalDate("2026-12-25"))
 * nextBusinessDay(christmas) // => "2026-12-28"
 * ```
 */
export const nextBusinessDay = (date: LocalDate, holidays: Holidays = nationalBankHolidays): LocalDate =>
  isBusinessDay(date, holidays) ? date : nearestBusinessDay(date, 1, holidays)

/**
 * The nth business day strictly after a day, or before it if `n` is negative; 0 is the day itself. Throws a RangeError
 * unless `n` is a whole number, and for a calendar closed for more than a year.
 *
 * @example
 * ```ts
 * import { addBusinessDays, parseLocalDate } from "@pixcharge/core/calendar"
 * import * as Result from "effect/Result"
 *
 * const friday = Result.getOrThrow(parseLocalDate("2026-11-13"))
 * addBusinessDays(friday, 2) // => "2026-11-17"
 * ```
 */
export const addBusinessDays = (date: LocalDate, n: number, holidays: Holidays = nationalBankHolidays): LocalDate => {
  if (!Number.isSafeInteger(n)) throw new RangeError(`business days must be a whole number, not ${n}`)
  let day = date
  for (let left = Math.abs(n); left > 0; left--) day = nearestBusinessDay(day, Math.sign(n), holidays)
  return day
}

/**
 * Counts the business days after `from` up to and including `to`; negative when `to` is earlier. Inverts
 * `addBusinessDays` for every date. Between two business days, the Brazilian market counts the same (ANBIMA).
 */
export const businessDaysBetween = (
  from: LocalDate,
  to: LocalDate,
  holidays: Holidays = nationalBankHolidays,
): number => {
  const by = Math.sign(daysBetween(from, to))
  let count = 0
  for (let day = from; day !== to;) {
    day = addDays(day, by)
    if (isBusinessDay(day, holidays)) count += by
  }
  return count
}

export interface KeptDays {
  readonly from: LocalDate
  /** The last day of the range. */
  readonly until: LocalDate
  /** Closed days except Saturdays and Sundays. */
  readonly closed: ReadonlyArray<LocalDate>
}

export const keepDays = (holidays: Holidays, from: LocalDate, until: LocalDate): KeptDays => {
  const closed: Array<LocalDate> = []
  for (let day = from; day <= until; day = addDays(day, 1)) {
    if (dayOfWeek(day) % 6 !== 0 && !isBusinessDay(day, holidays)) closed.push(day)
  }
  return { from, until, closed }
}

/** `otherwise` decides on days outside the range. */
export const keptHolidays = ({ from, until, closed }: KeptDays, otherwise: Holidays): Holidays => ({
  isHoliday: (date) => (date >= from && date <= until ? closed.includes(date) : otherwise.isHoliday(date)),
})
