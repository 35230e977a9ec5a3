import type { Judge } from "./judge/Judge.ts"
import type { Violation } from "./judge/rules.ts"

const hourMs = 3_600_000
/** Late calls arrive before a day's reconciliation, which finds the rest. */
const firstWaitMs = 30 * hourMs
const nextWaitMs = 26 * hourMs
const maxWaits = 4
/** The leap of time after something happened during rest. */
export const quiesceLeapMs = 3 * hourMs

/** Gives everything time until nothing is wrong; reports what still is after some days. */
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
