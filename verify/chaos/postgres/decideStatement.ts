import { type Fates } from "@pixcharge/testkit/simulation"
import { commitEdges, type StatementFate } from "./StatementFate.ts"
import type { Meetings } from "./Meetings.ts"
import type { Write } from "./statements.ts"

/** Hosts look for work many times a second: about as many of these calls fail as of all others. */
const claimFactor = 0.02
/** A history has few writes, and is to see processes killed at the edges of each kind. */
const deathFactor = 8
/** How many of the writes wait for the same of another process. */
const meetingChance = 0.5
const longestSilenceRealMs = 700

/** What lies between a process and the database. */
interface StatementWorld {
  readonly meetings: Meetings
  /** Has all connections of the process go silent. */
  readonly goSilent: (realMs: number) => void
}

/** What becomes of a statement of this process. */
export const decideStatement = (
  fates: Fates,
  process: string,
  { name, isClaim }: Write,
  { meetings, goSilent }: StatementWorld,
): StatementFate => {
  const fate = fates.next(`${process}: ${name}`)
  const factor = isClaim ? claimFactor : 1
  const killAt = commitEdges.find((edge) => fate.suffers("deaths", `death ${edge}`, deathFactor * factor))
  const isCutAtRequest = fate.suffers("store", "cut at the request", factor)
  const isCutAtAnswer = fate.suffers("store", "cut at the answer", factor)
  const isDelayed = fate.suffers("store", "delay", 4 * factor)
  if (fate.suffers("store", "silence", factor)) goSilent(fate.random.between(50, longestSilenceRealMs))
  const meeting = meetings.arrive(name, process, fate.random.chance(meetingChance))
  const delayMs = isDelayed ? fate.random.between(5, 100) : fate.random.between(0, 3)
  return {
    delayMs,
    meeting,
    ...(killAt !== undefined && { killAt }),
    ...(isCutAtRequest ? { cutAt: "request" } : isCutAtAnswer ? { cutAt: "answer" } : {}),
  }
}
