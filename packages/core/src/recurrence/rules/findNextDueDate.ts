import type { Holidays } from "../../calendar/Holidays.ts"
import type { LocalDate } from "../../calendar/LocalDate.ts"
import { cycleSchedule } from "../cycles/cycleSchedule.ts"
import { cycleStart, hasCycle } from "../cycles/cycles.ts"
import type { Recurrence } from "./Recurrence.ts"

/**
 * The day on which the payer owes the next cycle of which no charge was made yet, if it is authorised by now (epoch milliseconds):
 * the first one whose window isn't over, and that its host doesn't leave out. Undefined where none is left, and once it is over.
 */
export const findNextDueDate = (recurrence: Recurrence, holidays: Holidays, now: number): LocalDate | undefined => {
  const { _tag: state, skipped = [] } = recurrence
  if (state === "Ending" || state === "Ended") return undefined
  for (let cycle = recurrence.nextCycle; hasCycle(recurrence, cycle); cycle++) {
    const schedule = cycleSchedule(recurrence, cycle, holidays)
    if (schedule !== undefined && now < schedule.closesAt && !skipped.includes(cycle)) {
      return cycleStart(recurrence, cycle)
    }
  }
  return undefined
}
