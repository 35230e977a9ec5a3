import * as Result from "effect/Result"
import { startOfBrasiliaDay } from "../calendar/BrasiliaTime.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import type { LocalDate } from "../calendar/LocalDate.ts"
import { cycleEnd, type CycleSchedule, cycleSchedule, cycleStart, hasCycle, mayHaveCharge } from "../cycle/cycles.ts"
import { unseenMs } from "../cycle/Debit.ts"
import type { Cents } from "../money/Money.ts"
import type { ApprovedRecurrence, Recurrence } from "./Recurrence.ts"
import { CycleNotOpen } from "./recurrenceErrors.ts"

/** What is to be done about the cycles of a recurrence. */
export type CyclePlan =
  /** All its cycles are decided. */
  | { readonly _tag: "Finished" }
  /** Nothing before this moment: epoch milliseconds. */
  | { readonly _tag: "Wait"; readonly until: number }
  /** Make the cycle's charge now: of the recurrence's amount, or of the one that its host says. */
  | { readonly _tag: "Charge"; readonly schedule: CycleSchedule }
  /** The cycle's window has closed, and nothing is charged late: its host is told. */
  | { readonly _tag: "Miss"; readonly cycle: number }
  /** Its host leaves the cycle out. Once its window has opened, the bank may have a charge that restored books have forgotten. */
  | { readonly _tag: "Skip"; readonly cycle: number; readonly hasOpened: boolean }

/**
 * Decides about the first undecided cycle, one at a time: a host that was down for months finds each window closed, and charges the
 * one that is open. Total and pure.
 */
export const planCycle = (recurrence: ApprovedRecurrence, holidays: Holidays, now: number): CyclePlan => {
  const { nextCycle: cycle, updatedAt, skipped = [] } = recurrence
  if (!hasCycle(recurrence, cycle)) return { _tag: "Finished" }
  const schedule = cycleSchedule(recurrence, cycle, holidays)
  // A window that the calendar leaves no day is given up on the day of the cycle: until then the calendar may change.
  const closesAt = schedule?.closesAt ?? startOfBrasiliaDay(cycleStart(recurrence, cycle))
  if (skipped.includes(cycle)) {
    const hasOpened = mayHaveCharge(schedule, now)
    const until = updatedAt + unseenMs
    return hasOpened && now < until ? { _tag: "Wait", until } : { _tag: "Skip", cycle, hasOpened }
  }
  if (now >= closesAt) return { _tag: "Miss", cycle }
  if (schedule === undefined || now < schedule.opensAt) return { _tag: "Wait", until: schedule?.opensAt ?? closesAt }
  return { _tag: "Charge", schedule }
}

/**
 * The schedule of the first undecided cycle whose window isn't over by now (epoch milliseconds), and that its host doesn't leave
 * out. Undefined where none is left.
 */
export const findNextCycle = (recurrence: Recurrence, holidays: Holidays, now: number): CycleSchedule | undefined => {
  const { nextCycle, skipped = [] } = recurrence
  for (let cycle = nextCycle; hasCycle(recurrence, cycle); cycle++) {
    const schedule = cycleSchedule(recurrence, cycle, holidays)
    if (schedule !== undefined && now < schedule.closesAt && !skipped.includes(cycle)) return schedule
  }
  return undefined
}

/**
 * The day on which the payer owes the next cycle of which no charge was made yet, if it is authorised by now (epoch milliseconds).
 * Undefined where none is left, and once the recurrence is over.
 */
export const findNextDueDate = (recurrence: Recurrence, holidays: Holidays, now: number): LocalDate | undefined => {
  const isOver = recurrence._tag === "Ending" || recurrence._tag === "Ended"
  return isOver ? undefined : findNextCycle(recurrence, holidays, now)?.dueDate
}

/** What a host says of one cycle. */
export interface CycleRequest {
  /** Counted from 1. */
  readonly cycle: number
  readonly amountCents: Cents
  /** A day of the cycle; by default its first. */
  readonly dueDate?: LocalDate
}

/** The schedule of a cycle that a host may charge now, in epoch milliseconds. */
export const openCycle = (
  recurrence: ApprovedRecurrence,
  { cycle, dueDate }: CycleRequest,
  holidays: Holidays,
  now: number,
): Result.Result<CycleSchedule, CycleNotOpen> => {
  const { issuer, id, skipped = [] } = recurrence
  const isInside =
    hasCycle(recurrence, cycle) &&
    (dueDate === undefined || (dueDate >= cycleStart(recurrence, cycle) && dueDate <= cycleEnd(recurrence, cycle)))
  const schedule = isInside ? cycleSchedule(recurrence, cycle, holidays, dueDate) : undefined
  const opensAt = schedule?.opensAt ?? now
  if (now < opensAt) return Result.fail(new CycleNotOpen({ issuer, id, cycle, opensAt }))
  return schedule !== undefined && !skipped.includes(cycle) && now < schedule.closesAt
    ? Result.succeed(schedule)
    : Result.fail(new CycleNotOpen({ issuer, id, cycle }))
}
