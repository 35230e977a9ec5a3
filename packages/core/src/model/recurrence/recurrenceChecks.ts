import { brasiliaDate, brasiliaHour } from "../calendar/BrasiliaTime.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import { addDays, type LocalDate } from "../calendar/LocalDate.ts"
import { type Charge, type CycleCharge, isFailed, type PendingCharge } from "../charge/Charge.ts"
import { deferredCheckAt } from "../charge/checkSchedule.ts"
import { refundableUntil } from "../charge/Refund.ts"
import { cycleSchedule, requestableUntil } from "../cycle/cycles.ts"
import { attemptsUntil, type ChargeCycle, type Debit, freesCycle, isLiveAttempt } from "../cycle/Debit.ts"
import { planCycle } from "./CycleCharge.ts"
import type { OfferedRecurrence, Recurrence, RequestedRecurrence } from "./Recurrence.ts"

// Instants are epoch milliseconds.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const week = 7 * day

/** The hours in Brasília when attempts end. */
const resultHours = [8, 21] as const
const resultAfterMs = 5 * minute

const pause = (since: number, now: number, minMs: number, maxMs: number): number =>
  Math.min(Math.max(Math.round((now - since) / 2), minMs), maxMs)

/**
 * Until the bank answers: at least hourly. While the payer decides: hourly in the first week, daily for two months,
 * then weekly, and when the code expires.
 */
export const nextOfferCheckAt = (
  { _tag: state, createdAt, journey }: RequestedRecurrence | OfferedRecurrence,
  now: number,
): number => {
  if (state === "Requested") return now + pause(createdAt, now, 10 * second, hour)
  const age = now - createdAt
  const next = now + pause(createdAt, now, 45 * second, age < week ? hour : age < 60 * day ? day : week)
  return journey.by === "code" && journey.until > now ? Math.min(next, journey.until) : next
}

/** While it is approved: at its cycles' windows, and weekly. Undefined once it is over. */
export const nextRecurrenceCheckAt = (recurrence: Recurrence, holidays: Holidays, now: number): number | undefined => {
  switch (recurrence._tag) {
    case "Requested":
    case "Offered":
      return nextOfferCheckAt(recurrence, now)
    case "Ending":
      return now + pause(recurrence.requestedAt, now, 10 * second, hour)
    case "Ended":
      return undefined
    case "Approved":
      break
  }
  const plan = planCycle(recurrence, holidays, now)
  const weekly = now + week
  if (plan._tag === "Wait") return Math.min(plan.until, weekly)
  if (plan._tag === "Finished") return weekly
  const isAwaitingAmount = plan._tag === "Charge" && recurrence.announcedCycle === plan.schedule.cycle
  return isAwaitingAmount ? Math.min(plan.schedule.closesAt, weekly) : now
}

/**
 * Until the debit is scheduled: after one minute, ten minutes, then hourly. After that: at each result hour of its days, while a
 * retry is possible, and every ten minutes in the last hour before a planned retry. Undefined after a final failure or
 * `watchUntil`.
 */
export const nextDebitCheckAt = (charge: PendingCharge, now: number): number | undefined => {
  const { cycle, debit, watchUntil } = charge
  if (cycle === undefined || debit === undefined || now > watchUntil || isFailed(charge)) return undefined
  const usual = usualDebitCheckAt(charge, debit, now)
  return isBeforeRetry(cycle, debit, now) ? Math.min(usual, now + 10 * minute) : usual
}

/** Whether a planned attempt of tomorrow still waits for the day's result or the bank's answer. */
const isBeforeRetry = ({ plannedRetryDays = [] }: ChargeCycle, { attempts }: Debit, now: number): boolean => {
  const tomorrow = addDays(brasiliaDate(now), 1)
  return isLastHour(now) && plannedRetryDays.includes(tomorrow) && !attempts.some(({ on }) => on === tomorrow)
}

/** From the end of the day's attempts, at 21:00 in Brasília, to the deadline for tomorrow's, at 22:00. */
const isLastHour = (now: number): boolean => {
  const today = brasiliaDate(now)
  return now >= attemptsUntil(today) && now < requestableUntil(addDays(today, 1))
}

/** When to repeat a failed check: after at most ten minutes in the last hour for tomorrow's attempt. */
export const repeatedCheckAt = ({ updatedAt, retryOn }: Recurrence, now: number): number => {
  const usual = deferredCheckAt(updatedAt, now)
  return retryOn !== undefined && isLastHour(now) ? Math.min(usual, now + 10 * minute) : usual
}

const usualDebitCheckAt = ({ createdAt }: PendingCharge, debit: Debit, now: number): number => {
  const live = debit.attempts.filter(isLiveAttempt)
  const awaited = debit.retries.filter(
    (on) => now < attemptsUntil(on) && !debit.attempts.some((attempt) => attempt.on === on),
  )
  const days = [...live.map(({ on }) => on), ...awaited]
  const isUnscheduled =
    live.length === 0
      ? (debit.status === "requested" || debit.status === "registered") && debit.failure === undefined
      : live.some(({ status }) => status === "requested")
  if (awaited.length > 0 || isUnscheduled)
    return Math.min(earlyCheckAt(createdAt, now), resultAt(days, now) ?? Infinity)
  return resultAt(days.length > 0 ? days : [brasiliaDate(now), addDays(brasiliaDate(now), 1)], now) ?? now + hour
}

const earlyCheckAt = (createdAt: number, now: number): number => {
  const age = now - createdAt
  if (age < minute) return createdAt + minute
  return age < 10 * minute ? createdAt + 10 * minute : now + hour
}

const resultAt = (days: ReadonlyArray<LocalDate>, now: number): number | undefined => {
  const moments = days
    .flatMap((on) => resultHours.map((at) => brasiliaHour(on, at) + resultAfterMs))
    .filter((at) => at > now)
  return moments.length === 0 ? undefined : Math.min(...moments)
}

export const chargeableUntil = (recurrence: Recurrence, charge: PendingCharge, holidays: Holidays): number => {
  const { cycle, dueDate } = charge
  const schedule = cycle && cycleSchedule(recurrence, cycle.cycle, holidays, dueDate)
  return schedule?.closesAt ?? charge.createdAt
}

export const nextCheckAt = (
  recurrence: Recurrence,
  { holidays, open, mayReturn }: { holidays: Holidays; open: ReadonlyArray<PendingCharge>; mayReturn: boolean },
  now: number,
): number | undefined => {
  const own = nextRecurrenceCheckAt(recurrence, holidays, now) ?? (mayReturn ? now + week : undefined)
  const moments = [own, ...open.map((charge) => nextDebitCheckAt(charge, now))].filter((at) => at !== undefined)
  return moments.length === 0 ? undefined : Math.min(...moments, now + week)
}

export const isReturnable = (charge: Charge, now: number): boolean =>
  charge._tag === "Paid" && now <= refundableUntil(charge.payment.paidAt)

/**
 * The last charge of each freed cycle, while a payment can be returned: the bank can have a later charge that restored books
 * lack. `charges` is sorted by cycle and generation, the latest first.
 */
export const findFreed = (charges: ReadonlyArray<CycleCharge>, now: number): ReadonlyArray<CycleCharge> =>
  charges
    .filter(({ cycle }, index) => charges[index - 1]?.cycle.cycle !== cycle.cycle)
    .filter((charge) => freesCycle(charge) && now <= refundableUntil(charge.watchUntil))
