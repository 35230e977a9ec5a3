import type { Evidence } from "./Evidence.ts"
import { judgeAttempts } from "./judgeAttempts.ts"
import { judgeBooks } from "./judgeBooks.ts"
import { judgeEvents } from "./judgeEvents.ts"
import { judgeRows } from "./judgeRows.ts"
import { judgeAnswers } from "./judgeAnswers.ts"
import { readBooks } from "./readBooks.ts"

/**
 * Compares the rows with the callers' answers, the bank and the receiver, and returns one sentence for each
 * contradiction. It uses no code of the judged packages. Call it once no load runs and no event waits.
 */
export const judge = (evidence: Evidence): ReadonlyArray<string> => {
  const books = readBooks(evidence.rows)
  return [
    ...evidence.surprises,
    ...judgeRows(evidence.rows),
    ...judgeBooks(evidence, books),
    ...(evidence.isSetBack
      ? []
      : [...judgeAttempts(evidence), ...judgeAnswers(evidence, books), ...judgeEvents(evidence)]),
  ]
}
