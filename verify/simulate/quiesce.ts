import type { Judge } from "./judge/Judge.ts"
import type { Violation } from "./judge/rules.ts"

const hourMs = 3_600_000
/** Late calls arrive before a day's reconciliation, which finds the rest. */
const firstWaitMs = 30 * hourMs
const nextWaitMs = 26 * hourMs
const maxWaits = 4
/** The first leap after an event during rest. */
export const quiesceLeapMs = 3 * hourMs

/** Waits until no rule is broken. Reports the remaining violations after some days. */
export const quiesce = async (
  { violations, report }: Pick<Judge, "violations" | "report">,
  pass: (ms: number) => Promise<void>,
  findFinal: () => Promise<ReadonlyArray<Violation>>,
): Promise<void> => {
  for (let waits = 1; waits <= maxWaits && violations.length === 0; waits++) {
    await pass(waits === 1 ? firstWaitMs : nextWaitMs)
    const found = await findFinal()
    if (found.length === 0) return
    if (waits === maxWaits) for (const { rule, what } of found) report(rule, what)
  }
}
