export type Period = "weekly" | "monthly" | "quarterly" | "halfYearly" | "yearly"

/** The terms that determine cycles. Days are `YYYY-MM-DD`. */
export interface Terms {
  readonly period: Period
  readonly startDate: string
  readonly endDate?: string
}

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** Brasília is three hours behind UTC. */
const behindMs = 3 * hourMs

/** The closed weekdays of banks in the simulated time, according to Febraban's calendar. */
const closed = new Set(
  "2026-06-04 2026-09-07 2026-10-12 2026-11-02 2026-11-20 2026-12-25 2027-01-01 2027-02-08 2027-02-09 2027-03-26 2027-04-21".split(
    " ",
  ),
)

const months: Record<Period, number> = { weekly: 0, monthly: 1, quarterly: 3, halfYearly: 6, yearly: 12 }

const iso = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10)

export const plusDays = (day: string, days: number): string => iso(Date.parse(day) + days * dayMs)

export const dayAt = (epochMs: number): string => iso(epochMs - behindMs)

/** The time of this hour in Brasília. */
export const momentAt = (day: string, hour: number): number => Date.parse(day) + behindMs + hour * hourMs

export const isOpen = (day: string): boolean => new Date(day).getUTCDay() % 6 !== 0 && !closed.has(day)

export const businessDay = (day: string): string => (isOpen(day) ? day : businessDay(plusDays(day, 1)))

export const businessDaysBefore = (day: string, count: number): string => {
  let before = day
  for (let left = count; left > 0; left -= Number(isOpen(before))) before = plusDays(before, -1)
  return before
}

/** The same day of a later month, or the last day of that month if it is shorter. */
const plusMonths = (day: string, count: number): string => {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number)
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate()
  return iso(Date.UTC(year, month - 1 + count, Math.min(date, last)))
}

/** The first day of a cycle, counted from 1. */
export const cycleStart = ({ period, startDate }: Terms, cycle: number): string =>
  period === "weekly" ? plusDays(startDate, 7 * (cycle - 1)) : plusMonths(startDate, months[period] * (cycle - 1))

/** The cycle of a day; 0 before the first cycle. */
export const findCycle = (terms: Terms, day: string): number => {
  let cycle = 0
  while (cycleStart(terms, cycle + 1) <= day) cycle += 1
  return cycle
}
