import { addDays, dateDay, isoDate, type LocalDate, dateMonth, dateYear } from "./LocalDate.ts"

/**
 * Says which days are closed besides Saturdays and Sundays. A host's own object must always give the same answer for a day.
 */
export interface Holidays {
  readonly isHoliday: (date: LocalDate) => boolean
}

/** Easter Sunday, Gregorian (anonymous computus, Nature, 1876). */
const easterSunday = (year: number): LocalDate => {
  const golden = year % 19
  const century = Math.trunc(year / 100)
  const yearOfCentury = year % 100
  const lunarCorrection = Math.trunc((century - Math.trunc((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.trunc(century / 4) - lunarCorrection + 15) % 30
  const leapYears = 2 * (century % 4) + 2 * Math.trunc(yearOfCentury / 4)
  const toSunday = (32 + leapYears - epact - (yearOfCentury % 4)) % 7
  const lateMoon = Math.trunc((golden + 11 * epact + 22 * toSunday) / 451)
  const days = epact + toSunday - 7 * lateMoon + 114
  return isoDate(year, Math.trunc(days / 31), (days % 31) + 1)
}

const fixedHolidays: ReadonlyArray<readonly [month: number, day: number, name: string, since?: number]> = [
  [1, 1, "Confraternização Universal"],
  [4, 21, "Tiradentes"],
  [5, 1, "Dia do Trabalho"],
  [9, 7, "Independência do Brasil"],
  [10, 12, "Nossa Senhora Aparecida"],
  [11, 2, "Finados"],
  [11, 15, "Proclamação da República"],
  // Lei 14.759 of 21 December 2023.
  [11, 20, "Dia Nacional de Zumbi e da Consciência Negra", 2024],
  [12, 25, "Natal"],
]

const easterHolidays: ReadonlyArray<readonly [daysAfterEaster: number, name: string]> = [
  [-48, "Carnaval (segunda-feira)"],
  [-47, "Carnaval (terça-feira)"],
  [-2, "Paixão de Cristo"],
  [60, "Corpus Christi"],
]

/**
 * The national bank holidays of a year with their Brazilian names, weekends included (Res. CMN 4.880/2020, art. 6; the
 * rule since 2001). Ash Wednesday, 24 and 31 December are business days. A future year is a forecast.
 */
export const nationalHolidays = (year: number): ReadonlyMap<LocalDate, string> => {
  const easter = easterSunday(year)
  const days: Array<[LocalDate, string]> = []
  for (const [daysAfterEaster, name] of easterHolidays) days.push([addDays(easter, daysAfterEaster), name])
  for (const [month, day, name, since = 0] of fixedHolidays) {
    if (year >= since) days.push([isoDate(year, month, day), name])
  }
  return new Map(days.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** By year, a number per month with a bit per closed day. */
const years = new Map<number, Int32Array>()

const closedDays = (year: number): Int32Array => {
  const known = years.get(year)
  if (known !== undefined) return known
  const months = new Int32Array(13)
  for (const date of nationalHolidays(year).keys()) {
    const month = dateMonth(date)
    months[month] = (months[month] ?? 0) | (1 << dateDay(date))
  }
  years.set(year, months)
  return months
}

/** The national calendar of banks (`nationalHolidays`). */
export const nationalBankHolidays: Holidays = {
  isHoliday: (date) => (((closedDays(dateYear(date))[dateMonth(date)] ?? 0) >> dateDay(date)) & 1) === 1,
}

/**
 * Adds closed days to a calendar: of a state, a city or a new law.
 *
 * @example
 * ```ts
 * import { isBusinessDay, nationalBankHolidays, parseLocalDate, withHolidays } from "@pixcharge/core/calendar"
 * import * as Result from "effect/Result"
 *
 * const anniversary = Result.getOrThrow(parseLocalDate("2027-01-25"))
 * isBusinessDay(anniversary) // => true
 * isBusinessDay(anniversary, withHolidays(nationalBankHolidays, [anniversary])) // => false
 * ```
 */
export const withHolidays = (base: Holidays, dates: Iterable<LocalDate>): Holidays => {
  const added: ReadonlySet<LocalDate> = new Set(dates)
  return { isHoliday: (date) => added.has(date) || base.isHoliday(date) }
}
