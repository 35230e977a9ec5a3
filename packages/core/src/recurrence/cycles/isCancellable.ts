import { askableUntil } from "./cycleSchedule.ts"
import { type ChargeCycle, type Debit, isLiveAttempt } from "./Debit.ts"

/**
 * Whether the bank can still be asked to take a cycle's charge back: until 22:00 in Brasília of the day before an attempt, and again
 * once no attempt is under way. `now` in epoch milliseconds.
 */
export const isCancellable = (
  { cycle, debit }: { readonly cycle?: ChargeCycle; readonly debit?: Debit },
  now: number,
): boolean => {
  if (cycle === undefined || debit === undefined) return true
  const awaited = debit.retries.filter((on) => !debit.attempts.some((attempt) => attempt.on === on))
  const days = [...debit.attempts.filter(isLiveAttempt).map(({ on }) => on), ...awaited]
  // Before the bank shows an attempt there will be one on the planned day.
  const planned = debit.attempts.length === 0 ? [cycle.settlesOn, ...days] : days
  return planned.every((on) => now < askableUntil(on))
}
