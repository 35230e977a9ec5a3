import { brasiliaHour } from "../../calendar/BrasiliaTime.ts"
import { addBusinessDays, nextBusinessDay } from "../../calendar/BusinessDay.ts"
import type { Holidays } from "../../calendar/Holidays.ts"
import { addDays, type LocalDate } from "../../calendar/LocalDate.ts"
import { type CycleTerms, cycleStart } from "./cycles.ts"

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
export const askableUntil = (day: LocalDate): number => brasiliaHour(addDays(day, -1), closingHour)

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
 * back from there, for an order made too early is rejected and still occupies its cycle.
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
    cancellableUntil: askableUntil(settlesOn),
    retryDays: daysFrom(addDays(settlesOn, 1), lastRetryDay),
  }
}

/** Whether a charge of the cycle can have been made: by the schedule of its first day, which opens before that of any later day. */
export const mayHaveCharge = (schedule: CycleSchedule | undefined, now: number): boolean =>
  schedule === undefined || now >= schedule.opensAt
