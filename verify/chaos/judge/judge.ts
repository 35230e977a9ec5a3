import type { Evidence } from "./Evidence.ts"
import { judgeCalls } from "./judgeCalls.ts"
import { judgeEvents } from "./judgeEvents.ts"
import { judgeMoney } from "./judgeMoney.ts"
import { judgeSales } from "./judgeSales.ts"
import { RowIndex } from "./RowIndex.ts"

/**
 * Whatever contradicts what callers were told, what the bank has and what the receiver saw, one sentence each. It uses no value of
 * pixcharge. To be asked once the load has stopped and no event waits.
 */
export const judge = (evidence: Evidence): ReadonlyArray<string> => {
  const rows = new RowIndex(evidence.rows)
  return [
    ...evidence.surprises,
    ...rows.flaws(),
    ...judgeMoney(evidence, rows),
    ...(evidence.isSetBack
      ? []
      : [...judgeCalls(evidence), ...judgeSales(evidence, rows), ...judgeEvents(evidence, rows)]),
  ]
}
