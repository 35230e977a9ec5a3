import { askableUntil } from "./cycleSchedule.ts"
import { attemptsUntil, type ChargeCycle, type Debit, isLiveAttempt } from "./Debit.ts"

/**
 * Whether the bank can still be asked to take a cycle's charge back: until 22:00 in Brasília of the day before an attempt, and again
 * once no attempt is under way. `now` in epoch milliseconds.
 */
export const isCancellable = (
  { cycle, debit }: { readonly cycle?: ChargeCycle; readonly debit?: Debit },
  now: number,
): boolean => {
  if (cycle === undefined || debit === undefined) return true
  const { attempts, retries } = debit
  // Before the bank shows an attempt there will be one on the planned day.
  const awaited = [...(attempts.length === 0 ? [cycle.settlesOn] : []), ...retries]
    .filter((on) => !attempts.some((attempt) => attempt.on === on))
    .filter((on) => now < attemptsUntil(on))
  const days = [...attempts.filter(isLiveAttempt).map(({ on }) => on), ...awaited]
  return days.every((on) => now < askableUntil(on))
}
