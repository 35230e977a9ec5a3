import type { Judge } from "./judge/Judge.ts"
import type { Violation } from "./judge/rules.ts"

const hourMs = 3_600_000
/** The first wait. Late calls arrive in it, and then a daily reconciliation finds what is missing. */
const firstWaitMs = 30 * hourMs
const nextWaitMs = 26 * hourMs
const maxWaits = 4
/** The length of the first leap after an event while the run comes to rest. */
export const quiesceLeapMs = 3 * hourMs

/** Waits until no rule is broken, and returns the violations that remain after some days. */
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
