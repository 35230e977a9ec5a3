import type { Holidays } from "../../calendar/Holidays.ts"
import type { LocalDate } from "../../calendar/LocalDate.ts"
import { type CycleSchedule, cycleSchedule } from "../cycles/cycleSchedule.ts"
import { hasCycle } from "../cycles/cycles.ts"
import type { Recurrence } from "./Recurrence.ts"

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
