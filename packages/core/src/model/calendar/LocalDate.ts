import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"

declare const brand: unique symbol

/**
 * A calendar day, `YYYY-MM-DD`, from 0001-01-01 to 9999-12-31 (Gregorian). Days compare as strings: `<`, `===` and
 * `sort` work.
 */
export type LocalDate = string & { readonly [brand]: "LocalDate" }

/**
 * A text that is no day of the calendar in the form `YYYY-MM-DD`.
 *
 * @remedy Write an existing day as `YYYY-MM-DD`.
 * @repeat No, only with another date.
 */
export class InvalidLocalDate extends TaggedError("InvalidLocalDate") {
  override get message(): string {
    return "A date must be an existing day from 0001-01-01 to 9999-12-31, written YYYY-MM-DD."
  }
}

const firstEpochDay = -719_162
const lastEpochDay = 2_932_896

/** Days from 0000-03-01, where the count of years starts, to 1970-01-01. */
const daysBefore1970 = 719_468

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

const lengthOfMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (monthLengths[month - 1] ?? 0)

const shape = /^\d{4}-\d{2}-\d{2}$/

/**
 * Parses an existing day, `YYYY-MM-DD`.
 *
 * @example
 * ```ts
 * import { parseLocalDate } from "@pixcharge/core/calendar"
 * import * as Result from "effect/Result"
 *
 * Result.isSuccess(parseLocalDate("2026-02-29")) // => false
 * ```
 */
export const parseLocalDate = (text: string): Result.Result<LocalDate, InvalidLocalDate> => {
  if (typeof text === "string" && shape.test(text)) {
    const year = dateYear(text as LocalDate)
    const month = dateMonth(text as LocalDate)
    const day = dateDay(text as LocalDate)
    if (year >= 1 && day >= 1 && day <= lengthOfMonth(year, month)) return Result.succeed(text as LocalDate)
  }
  return Result.fail(new InvalidLocalDate())
}

const zero = 48
const twoDigitsAt = (text: string, index: number): number =>
  text.charCodeAt(index) * 10 + text.charCodeAt(index + 1) - 11 * zero

export const dateYear = (date: LocalDate): number => twoDigitsAt(date, 0) * 100 + twoDigitsAt(date, 2)

export const dateMonth = (date: LocalDate): number => twoDigitsAt(date, 5)

export const dateDay = (date: LocalDate): number => twoDigitsAt(date, 8)

/** Days since 1970-01-01. Years count from March, because the leap day then ends a year. */
export const toEpochDay = (date: LocalDate): number => {
  const month = dateMonth(date)
  const year = month > 2 ? dateYear(date) : dateYear(date) - 1
  const dayOfYear = Math.trunc((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + dateDay(date) - 1
  return (
    year * 365 + Math.trunc(year / 4) - Math.trunc(year / 100) + Math.trunc(year / 400) + dayOfYear - daysBefore1970
  )
}

const daysIn400Years = 146_097

const pad2 = (n: number): string => (n < 10 ? `0${n}` : `${n}`)

const pad4 = (n: number): string => (n > 999 ? `${n}` : `${n}`.padStart(4, "0"))

/** The day must exist. */
export const isoDate = (year: number, month: number, day: number): LocalDate =>
  `${pad4(year)}-${pad2(month)}-${pad2(day)}` as LocalDate

const write = (epochDay: number): LocalDate => {
  if (!(epochDay >= firstEpochDay && epochDay <= lastEpochDay && Number.isInteger(epochDay))) {
    throw new RangeError(`no date of the years 0001 to 9999 lies ${epochDay} days from 1970-01-01`)
  }
  const days = epochDay + daysBefore1970
  const era = Math.trunc(days / daysIn400Years)
  const dayOfEra = days - era * daysIn400Years
  const yearOfEra = Math.trunc(
    (dayOfEra - Math.trunc(dayOfEra / 1460) + Math.trunc(dayOfEra / 36_524) - Math.trunc(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.trunc(yearOfEra / 4) - Math.trunc(yearOfEra / 100))
  const shiftedMonth = Math.trunc((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  return isoDate(year, month, dayOfYear - Math.trunc((153 * shiftedMonth + 2) / 5) + 1)
}

/** A cache, because writing a date is slow. */
const slots = 4096
const writtenDays = new Int32Array(slots)
const writtenDates: Array<LocalDate | undefined> = Array.from({ length: slots })

/** Throws a RangeError outside the years 0001 to 9999. */
export const fromEpochDay = (epochDay: number): LocalDate => {
  const slot = epochDay & (slots - 1)
  const kept = writtenDates[slot]
  if (kept !== undefined && writtenDays[slot] === epochDay) return kept
  const date = write(epochDay)
  writtenDays[slot] = epochDay
  writtenDates[slot] = date
  return date
}

/** The date this many days later. Throws a RangeError outside the years 0001 to 9999. */
export const addDays = (date: LocalDate, days: number): LocalDate => fromEpochDay(toEpochDay(date) + days)

/**
 * The same day this many years later; 29 February becomes 28 February in a common year. Throws a RangeError outside the
 * years 0001 to 9999.
 */
export const addYears = (date: LocalDate, years: number): LocalDate => {
  const year = dateYear(date) + years
  if (!(year >= 1 && year <= 9999 && Number.isInteger(year))) throw new RangeError(`no date has the year ${year}`)
  const monthAndDay = date.endsWith("-02-29") && !isLeapYear(year) ? "-02-28" : date.slice(4)
  return `${pad4(year)}${monthAndDay}` as LocalDate
}

const toMonths = (date: LocalDate): number => dateYear(date) * 12 + dateMonth(date) - 1

/**
 * The same day this many months later, or the last day of a shorter month. Throws a RangeError outside the years 0001
 * to 9999.
 */
export const addMonths = (date: LocalDate, months: number): LocalDate => {
  const whole = toMonths(date) + months
  const [year, month] = [Math.trunc(whole / 12), (whole % 12) + 1]
  if (!(year >= 1 && year <= 9999 && Number.isInteger(whole))) {
    throw new RangeError(`no date lies ${months} months from ${date}`)
  }
  return isoDate(year, month, Math.min(dateDay(date), lengthOfMonth(year, month)))
}

/** The months from the month of `from` to the month of `to`. */
export const monthsBetween = (from: LocalDate, to: LocalDate): number => toMonths(to) - toMonths(from)

/** The days from `from` to `to`; negative when `to` is earlier. */
export const daysBetween = (from: LocalDate, to: LocalDate): number => toEpochDay(to) - toEpochDay(from)

/** The weekday: 0 is Sunday, 6 is Saturday. */
export const dayOfWeek = (date: LocalDate): number => (((toEpochDay(date) + 4) % 7) + 7) % 7
