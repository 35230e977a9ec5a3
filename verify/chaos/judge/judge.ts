import type { Evidence } from "./Evidence.ts"
import { judgeAttempts } from "./judgeAttempts.ts"
import { judgeBooks } from "./judgeBooks.ts"
import { judgeEvents } from "./judgeEvents.ts"
import { judgeRows } from "./judgeRows.ts"
import { judgeAnswers } from "./judgeAnswers.ts"
import { readBooks } from "./readBooks.ts"

/**
 * One sentence for each contradiction of the callers' answers, the bank or the receiver. It uses no value of the judged code.
 * Call it once no load runs and no event waits.
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
