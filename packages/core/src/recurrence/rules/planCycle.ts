import type { Holidays } from "../../calendar/Holidays.ts"
import { type CycleSchedule, cycleSchedule } from "../cycles/cycleSchedule.ts"
import { hasCycle } from "../cycles/cycles.ts"
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
  const { nextCycle, approvedAt } = recurrence
  if (!hasCycle(recurrence, nextCycle)) return { _tag: "Finished" }
  if (recurrence.skipped?.includes(nextCycle) === true) return { _tag: "Skip", cycle: nextCycle, isOwed: false }
  const schedule = cycleSchedule(recurrence, nextCycle, holidays)
  if (schedule === undefined) return { _tag: "Skip", cycle: nextCycle, isOwed: true }
  if (now >= schedule.closesAt) {
    return { _tag: "Skip", cycle: nextCycle, isOwed: approvedAt < schedule.closesAt }
  }
  return now < schedule.opensAt ? { _tag: "Wait", until: schedule.opensAt } : { _tag: "Charge", schedule }
}
