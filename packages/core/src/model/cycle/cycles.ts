import { brasiliaHour } from "../calendar/BrasiliaTime.ts"
import { addBusinessDays, nextBusinessDay } from "../calendar/BusinessDay.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import { addDays, addMonths, daysBetween, type LocalDate, monthsBetween } from "../calendar/LocalDate.ts"

/** How often a recurrence charges (API Pix: `calendario.periodicidade`). */
export type RecurrencePeriod = "weekly" | "monthly" | "quarterly" | "halfYearly" | "yearly"

export interface CycleTerms {
  readonly period: RecurrencePeriod
  /** The first day of cycle 1 (API Pix: `calendario.dataInicial`). */
  readonly startDate: LocalDate
  /** No cycle begins later (API Pix: `calendario.dataFinal`). Absent: no end. */
  readonly endDate?: LocalDate
  /** The days after the due date of pixcharge's own new attempts, ascending. */
  readonly retryOn?: ReadonlyArray<number>
}

const monthsIn = { monthly: 1, quarterly: 3, halfYearly: 6, yearly: 12 } as const

export const isPeriod = (text: unknown): text is RecurrencePeriod =>
  text === "weekly" || (typeof text === "string" && Object.hasOwn(monthsIn, text))

/**
 * The first day of a cycle, counted from 1. In a month without the start date's day it is the last day of the month.
 *
 * @example
 * ```ts
 * import { cycleStart } from "@pixcharge/core/recurrence"
 * import { parseLocalDate } from "@pixcharge/core/calendar"
 * import * as Result from "effect/Result"
 *
 * const startDate = Result.getOrThrow(parseLocalDate("2025-10-31"))
 * cycleStart({ period: "monthly", startDate }, 5) // => "2026-02-28"
 * cycleStart({ period: "monthly", startDate }, 6) // => "2026-03-31"
 * ```
 */
export const cycleStart = ({ period, startDate }: CycleTerms, cycle: number): LocalDate =>
  period === "weekly" ? addDays(startDate, 7 * (cycle - 1)) : addMonths(startDate, monthsIn[period] * (cycle - 1))

export const cycleEnd = (terms: CycleTerms, cycle: number): LocalDate => addDays(cycleStart(terms, cycle + 1), -1)

/** The cycle of a day, counted from 1; undefined before the start date and after the end date. */
export const findCycle = (terms: CycleTerms, date: LocalDate): number | undefined => {
  const { period, startDate, endDate = date } = terms
  if (date < startDate || date > endDate) return undefined
  const guess =
    period === "weekly"
      ? Math.trunc(daysBetween(startDate, date) / 7) + 1
      : Math.trunc(monthsBetween(startDate, date) / monthsIn[period]) + 1
  return cycleStart(terms, guess) > date ? guess - 1 : guess
}

/** A bound for the calendar: 96 years of weeks. */
const maxCycle = 5_000

/** The first 5000 cycles that begin by the end date. */
export const hasCycle = (terms: CycleTerms, cycle: number): boolean =>
  cycle >= 1 && cycle <= maxCycle && (terms.endDate === undefined || cycleStart(terms, cycle) <= terms.endDate)

/** The times of a cycle's charge. Instants are epoch milliseconds. */
export interface CycleSchedule {
  readonly cycle: number
  /** The payer's due date, inside the cycle. */
  readonly dueDate: LocalDate
  /** The expected day of the debit: the due date or the next business day. */
  readonly settlesOn: LocalDate
  /** The earliest time to make the charge: 09:00 in Brasília of the window's first business day. */
  readonly opensAt: number
  /** The latest time to make the charge: 22:00 in Brasília of the window's last day. */
  readonly closesAt: number
  /** The receiver's deadline for cancelling the first attempt: 22:00 in Brasília of the day before. */
  readonly cancellableUntil: number
  /** The possible days of a new attempt if the authorisation permits retries. At most three are used. */
  readonly retryDays: ReadonlyArray<LocalDate>
  /**
   * The `retryDays` on `retryOn`, without days up to the first debit, which closed days can delay, and days of the next cycle.
   */
  readonly plannedRetryDays?: ReadonlyArray<LocalDate>
}

const maxDaysAhead = 10
const minDaysAhead = 2

export const maxRetries = 3

/** In days after the due date. */
const lastRetryDay = (period: RecurrencePeriod): number => (period === "weekly" ? 5 : 7)

/** Whether these are one to three different days after the due date, at most 7 or, weekly, 5. */
export const isRetryOn = (period: RecurrencePeriod, days: unknown): days is ReadonlyArray<number> =>
  Array.isArray(days) &&
  days.length >= 1 &&
  days.length <= maxRetries &&
  new Set(days).size === days.length &&
  days.every((day) => Number.isInteger(day) && day >= 1 && day <= lastRetryDay(period))

/** Hours in Brasília. */
const openingHour = 9
const closingHour = 22

/** The bank's deadline for requests about a day's debit: 22:00 in Brasília of the day before. Epoch milliseconds. */
export const requestableUntil = (day: LocalDate): number => brasiliaHour(addDays(day, -1), closingHour)

const daysFrom = (first: LocalDate, last: LocalDate): ReadonlyArray<LocalDate> => {
  const days: Array<LocalDate> = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

const min = (one: LocalDate, other: LocalDate): LocalDate => (one < other ? one : other)

/**
 * The schedule of a cycle's charge with this due date, by default the cycle's first day; undefined if closed days leave no
 * window.
 *
 * Sources disagree on the start of the count (due date or settlement) and on its days (calendar or business); the schedule
 * satisfies all readings. The charge is made 10 calendar days to 2 business days before the settlement, and retried within
 * 7 days of the due date (weekly: 5) and before the next cycle.
 *
 * A holiday of the payer's city can delay the settlement by a business day. The 10 days count from that later day, because
 * the bank rejects an early order, which still occupies its cycle.
 */
export const cycleSchedule = (
  terms: CycleTerms,
  cycle: number,
  holidays: Holidays,
  dueDate: LocalDate = cycleStart(terms, cycle),
): CycleSchedule | undefined => {
  const settlesOn = nextBusinessDay(dueDate, holidays)
  const delayedSettlement = nextBusinessDay(addDays(settlesOn, 1), holidays)
  const opensOn = nextBusinessDay(addDays(delayedSettlement, -maxDaysAhead), holidays)
  const closesOn = addBusinessDays(settlesOn, -minDaysAhead, holidays)
  if (opensOn > closesOn) return undefined
  const lastDay = min(addDays(dueDate, lastRetryDay(terms.period)), addDays(cycleStart(terms, cycle + 1), -1))
  const retryDays = daysFrom(addDays(settlesOn, 1), lastDay)
  const planned = terms.retryOn?.map((days) => addDays(dueDate, days))
  return {
    cycle,
    dueDate,
    settlesOn,
    opensAt: brasiliaHour(opensOn, openingHour),
    closesAt: brasiliaHour(closesOn, closingHour),
    cancellableUntil: requestableUntil(settlesOn),
    retryDays,
    ...(planned && { plannedRetryDays: retryDays.filter((day) => planned.includes(day)) }),
  }
}

/**
 * Whether the bank can have a charge of the cycle. Pass the schedule of the cycle's first day, which opens earliest.
 */
export const mayHaveCharge = (schedule: CycleSchedule | undefined, now: number): boolean =>
  schedule === undefined || now >= schedule.opensAt
