import type { Attempt, Evidence } from "./Evidence.ts"
import { judgeBooks } from "./judgeBooks.ts"
import { judgeEvents } from "./judgeEvents.ts"
import { judgeRows } from "./judgeRows.ts"
import { judgeTold } from "./judgeTold.ts"
import { readBooks } from "./readBooks.ts"

/**
 * A statement waits 15 s for its answer. What is repeatable is sent again within these 15 s, and a call may have to wait
 * for the statement before it, and for another one to take its place.
 */
const maxCallMs = 45_000

const hangs = (attempts: ReadonlyArray<Attempt>): ReadonlyArray<string> =>
  attempts
    .map((one) => ({ ...one, tookMs: one.endedAt - one.beganAt }))
    .filter(({ tookMs }) => tookMs > maxCallMs)
    .map(({ operation, issuer, host, tookMs }) => `hang: ${operation} of ${issuer} took ${tookMs} ms at ${host}`)

/**
 * All that contradicts what callers were told, what the bank has and what the receiver saw, one sentence each. It uses no value of
 * what it judges. To be asked once the load has stopped and no event waits.
 */
export const judge = (evidence: Evidence): ReadonlyArray<string> => {
  const books = readBooks(evidence.rows)
  return [
    ...evidence.surprises,
    ...judgeRows(evidence.rows),
    ...judgeBooks(evidence, books),
    ...(evidence.isSetBack
      ? []
      : [...hangs(evidence.attempts), ...judgeTold(evidence, books), ...judgeEvents(evidence)]),
  ]
}
