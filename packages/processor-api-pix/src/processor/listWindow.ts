import { addDays, brasiliaDate, type LocalDate, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import type { PspWays } from "../PspProfile.ts"

const dayMs = 86_400_000
/** How far Brasília is behind UTC. */
export const brasiliaBehindMs = 3 * 3_600_000
/** A list is asked for in whole seconds around the period: that makes it up to two longer. */
export const roundedMs = 2_000

const dayOfMonth = (date: LocalDate): number => Number(date.slice(-2))

/** The first instant of the next month in Brasília. */
const endOfBrasiliaMonth = (at: number): number => {
  const today = brasiliaDate(at)
  const nextMonth = addDays(today, 32 - dayOfMonth(today))
  return startOfBrasiliaDay(addDays(nextMonth, 1 - dayOfMonth(nextMonth)))
}

/** When the month ends in Brasília or in UTC, whichever comes first: nobody says by which the bank counts. */
const endOfMonth = (at: number): number =>
  Math.min(endOfBrasiliaMonth(at), endOfBrasiliaMonth(at + brasiliaBehindMs) - brasiliaBehindMs)

/** A part of a period that a bank lists in one. */
export interface ListWindow {
  /** It ends before this instant; where that is not the period's end, the next part begins there. */
  readonly until: number
  /** What the bank is asked for: up to and with this instant. */
  readonly to: number
}

/** The longest part of a period, from its start, that a bank lists in one. All in epoch milliseconds. */
export const listWindow = (from: number, until: number, { listPeriod }: Pick<PspWays, "listPeriod">): ListWindow => {
  const whole = { until, to: until + 999 }
  if (listPeriod === "any") return whole
  if (listPeriod === "month") {
    const end = endOfMonth(from)
    // The last second of the month: the bank refuses a list that reaches the next one.
    return { until: Math.min(until, end), to: Math.min(until + 999, end - 1) }
  }
  const end = Math.min(until, from + listPeriod.days * dayMs - roundedMs)
  return { until: end, to: end + 999 }
}
