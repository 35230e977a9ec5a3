import { startOfBrasiliaDay } from "../../calendar/BrasiliaTime.ts"
import type { Holidays } from "../../calendar/Holidays.ts"
import { type CycleSchedule, cycleSchedule } from "../cycles/cycleSchedule.ts"
import { cycleStart, hasCycle } from "../cycles/cycles.ts"
import type { ApprovedRecurrence } from "./Recurrence.ts"

/** What is to be done about the cycles of a recurrence. */
export type CyclePlan =
  /** All its cycles are decided. */
  | { readonly _tag: "Finished" }
  /** Nothing before this moment: epoch milliseconds. */
  | { readonly _tag: "Wait"; readonly until: number }
  /** Make the cycle's charge now: of the recurrence's amount, or of the one that its host says. */
  | { readonly _tag: "Charge"; readonly schedule: CycleSchedule }
  /**
   * The cycle is left out: its window has closed, and nothing is charged late, or its host said so. `isOwed` where it was the window
   * and the payer had authorised it before, so that its host is told.
   */
  | { readonly _tag: "Skip"; readonly cycle: number; readonly isOwed: boolean }

/**
 * Decides about the first undecided cycle, one at a time: a host that was down for months finds each window closed, and charges the
 * one that is open. Total and pure.
 */
export const planCycle = (recurrence: ApprovedRecurrence, holidays: Holidays, now: number): CyclePlan => {
  const { nextCycle: cycle, approvedAt, skipped = [] } = recurrence
  if (!hasCycle(recurrence, cycle)) return { _tag: "Finished" }
  if (skipped.includes(cycle)) return { _tag: "Skip", cycle, isOwed: false }
  const schedule = cycleSchedule(recurrence, cycle, holidays)
  // A window that the calendar leaves no day is given up on the day of the cycle: until then the calendar may change.
  const closesAt = schedule?.closesAt ?? startOfBrasiliaDay(cycleStart(recurrence, cycle))
  if (now >= closesAt) return { _tag: "Skip", cycle, isOwed: approvedAt < closesAt }
  if (schedule === undefined || now < schedule.opensAt) return { _tag: "Wait", until: schedule?.opensAt ?? closesAt }
  return { _tag: "Charge", schedule }
}
