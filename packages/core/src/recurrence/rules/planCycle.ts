import { startOfBrasiliaDay } from "../../calendar/BrasiliaTime.ts"
import type { Holidays } from "../../calendar/Holidays.ts"
import { type CycleSchedule, cycleSchedule, mayHaveCharge } from "../cycles/cycleSchedule.ts"
import { cycleStart, hasCycle } from "../cycles/cycles.ts"
import { unseenMs } from "../cycles/Debit.ts"
import type { ApprovedRecurrence } from "./Recurrence.ts"

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
