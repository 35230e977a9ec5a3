import { addDays, addMonths, daysBetween, type LocalDate, monthsBetween } from "../../calendar/LocalDate.ts"

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
