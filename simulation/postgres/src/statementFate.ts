import type { Fates } from "#simulation/Fates"
import { commitEdges, type StatementFate } from "./DatabaseProxy.ts"
import type { Write } from "./statements.ts"

/** Hosts look for work many times a second: about as many of these calls fail as of all others. */
const claimFactor = 0.02
const longestSilenceRealMs = 700

/** What becomes of a statement of this process; `goSilent` has all of its connections go silent. */
export const statementFate = (
  fates: Fates,
  process: string,
  { name, isClaim }: Write,
  goSilent: (realMs: number) => void,
): StatementFate => {
  const fate = fates.next(`${process}: ${name}`)
  const factor = isClaim ? claimFactor : 1
  const killAt = commitEdges.find((edge) => fate.suffers("deaths", `death ${edge}`, 2 * factor))
  const isCutAtRequest = fate.suffers("store", "cut at the request", factor)
  const isCutAtAnswer = fate.suffers("store", "cut at the answer", factor)
  const isDelayed = fate.suffers("store", "delay", 4 * factor)
  if (fate.suffers("store", "silence", factor)) goSilent(fate.random.between(50, longestSilenceRealMs))
  const delayMs = isDelayed ? fate.random.between(5, 100) : fate.random.between(0, 3)
  return {
    delayMs,
    ...(killAt !== undefined && { killAt }),
    ...(isCutAtRequest ? { cutAt: "request" } : isCutAtAnswer ? { cutAt: "answer" } : {}),
  }
}
