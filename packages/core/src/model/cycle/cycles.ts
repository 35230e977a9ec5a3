import { brasiliaHour } from "../calendar/BrasiliaTime.ts"
import { addBusinessDays, nextBusinessDay } from "../calendar/BusinessDay.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import { addDays, addMonths, daysBetween, type LocalDate, monthsBetween } from "../calendar/LocalDate.ts"

/** How often a recurrence charges (API Pix: `calendario.periodicidade`). There is no fortnight and no two months. */
export type RecurrencePeriod = "weekly" | "monthly" | "quarterly" | "halfYearly" | "yearly"

/** What the cycles of a recurrence follow from. */
export interface CycleTerms {
  readonly period: RecurrencePeriod
  /** The first day of cycle 1 (API Pix: `calendario.dataInicial`). */
  readonly startDate: LocalDate
  /** No cycle begins after this day (API Pix: `calendario.dataFinal`). Absent: without an end. */
  readonly endDate?: LocalDate
}

const monthsIn = { monthly: 1, quarterly: 3, halfYearly: 6, yearly: 12 } as const

/** Whether it is a period that banks know. */
export const isPeriod = (text: unknown): text is RecurrencePeriod =>
  text === "weekly" || (typeof text === "string" && Object.hasOwn(monthsIn, text))

/**
 * The first day of a cycle, counted from 1. It is computed from the start each time, never from the cycle before: a month that
 * lacks the day begins its cycle on its last day, and the next month has the day again.
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

/** The last day of a cycle: the day before the next one begins. */
export const cycleEnd = (terms: CycleTerms, cycle: number): LocalDate => addDays(cycleStart(terms, cycle + 1), -1)

/** The cycle that a day lies in, counted from 1; undefined before the start date and after the end date. */
export const findCycle = (terms: CycleTerms, date: LocalDate): number | undefined => {
  const { period, startDate, endDate = date } = terms
  if (date < startDate || date > endDate) return undefined
  const guess =
    period === "weekly"
      ? Math.trunc(daysBetween(startDate, date) / 7) + 1
      : Math.trunc(monthsBetween(startDate, date) / monthsIn[period]) + 1
  return cycleStart(terms, guess) > date ? guess - 1 : guess
}

/** More than any contract has: 96 years of weeks. Beyond it the calendar may end. */
const maxCycle = 5_000

/** Whether the recurrence has this cycle: one that begins by its end date, of the first 5000. */
export const hasCycle = (terms: CycleTerms, cycle: number): boolean =>
  cycle >= 1 && cycle <= maxCycle && (terms.endDate === undefined || cycleStart(terms, cycle) <= terms.endDate)

/** When a cycle's charge can be made, cancelled and tried again. Moments are epoch milliseconds. */
export interface CycleSchedule {
  readonly cycle: number
  /** The day by which the payer owes, inside the cycle. */
  readonly dueDate: LocalDate
  /** When the payer's bank is expected to debit: the due date, or the business day after it. */
  readonly settlesOn: LocalDate
  /** When the charge is made at the earliest: 09:00 in Brasília of the first business day of its window. */
  readonly opensAt: number
  /** When it is made at the latest: 22:00 in Brasília of the last day of its window. */
  readonly closesAt: number
  /** Until when the receiver can cancel it before its first attempt: 22:00 in Brasília of the day before. */
  readonly cancellableUntil: number
  /** The days on which a new attempt is possible, where the authorisation permits any. Three of them are used at most. */
  readonly retryDays: ReadonlyArray<LocalDate>
}

const maxDaysAhead = 10
const minDaysAhead = 2
const retryDaysAfterDue = { weekly: 5, other: 7 } as const

/** The hours of Brasília by which something is asked of the bank, and from which charges are made. */
const openingHour = 9
const closingHour = 22

/** Until when something that takes effect on a day can be asked of the bank: 22:00 in Brasília of the day before. Epoch milliseconds. */
export const requestableUntil = (day: LocalDate): number => brasiliaHour(addDays(day, -1), closingHour)

const daysFrom = (first: LocalDate, last: LocalDate): ReadonlyArray<LocalDate> => {
  const days: Array<LocalDate> = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

const min = (one: LocalDate, other: LocalDate): LocalDate => (one < other ? one : other)

/**
 * The schedule of a cycle's charge with this due date, by default the cycle's first day. Sources disagree on whether days count
 * from the due date or from the settlement, and whether they are calendar or business days: what lies in all readings is
 * allowed. So a charge is made at most 10 calendar days and at least 2 business days before the settlement, which is never less
 * than 2 calendar days before the due date; it is tried again within 7 days of the due date (weekly: 5) and before the next cycle.
 *
 * A holiday of the payer's city, which is not known here, puts the settlement off by a business day: the 10 days are counted
 * back from there, because an order made too early is rejected and still occupies its cycle.
 *
 * Undefined where closed days leave no day that lies in all readings.
 */
export const cycleSchedule = (
  terms: CycleTerms,
  cycle: number,
  holidays: Holidays,
  dueDate: LocalDate = cycleStart(terms, cycle),
): CycleSchedule | undefined => {
  const settlesOn = nextBusinessDay(dueDate, holidays)
  const putOffTo = nextBusinessDay(addDays(settlesOn, 1), holidays)
  const opensOn = nextBusinessDay(addDays(putOffTo, -maxDaysAhead), holidays)
  const closesOn = addBusinessDays(settlesOn, -minDaysAhead, holidays)
  if (opensOn > closesOn) return undefined
  const retriesFor = retryDaysAfterDue[terms.period === "weekly" ? "weekly" : "other"]
  const lastRetryDay = min(addDays(dueDate, retriesFor), addDays(cycleStart(terms, cycle + 1), -1))
  return {
    cycle,
    dueDate,
    settlesOn,
    opensAt: brasiliaHour(opensOn, openingHour),
    closesAt: brasiliaHour(closesOn, closingHour),
    cancellableUntil: requestableUntil(settlesOn),
    retryDays: daysFrom(addDays(settlesOn, 1), lastRetryDay),
  }
}

/** Whether a charge of the cycle can have been made: by the schedule of its first day, which opens before that of any later day. */
export const mayHaveCharge = (schedule: CycleSchedule | undefined, now: number): boolean =>
  schedule === undefined || now >= schedule.opensAt
