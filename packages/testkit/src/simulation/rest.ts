import type { Judge } from "../judge/Judge.ts"
import type { Violation } from "../judge/rules.ts"

const hourMs = 3_600_000
/** Late calls arrive before a day's reconciliation, which finds the rest. */
const firstRestMs = 30 * hourMs
const nextRestMs = 26 * hourMs
const maxRests = 4
/** The leap of time after something happened during rest. */
export const restLeapMs = 3 * hourMs

/** Gives everything time until nothing is wrong; reports what still is after some days. */
export const rest = async (
  { violations, report }: Pick<Judge, "violations" | "report">,
  pass: (ms: number) => Promise<void>,
  findFinal: () => Promise<ReadonlyArray<Violation>>,
): Promise<void> => {
  for (let rests = 1; rests <= maxRests && violations.length === 0; rests++) {
    await pass(rests === 1 ? firstRestMs : nextRestMs)
    const found = await findFinal()
    if (found.length === 0) return
    if (rests === maxRests) for (const { rule, what } of found) report(rule, what)
  }
}
