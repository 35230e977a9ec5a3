import type { Judge } from "../judge/Judge.ts"
import type { Violation } from "../judge/rules.ts"

const hourMs = 3_600_000
/** A day's reconciliation finds what is left; a call that arrives late comes before it. */
const firstRestMs = 30 * hourMs
const nextRestMs = 26 * hourMs
const maxRests = 4
/** How far time leaps after something happened while all rests. */
export const restLeapMs = 3 * hourMs

/** Lets everybody have time until nothing is wrong; what still is after some days is reported. */
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
