import type { Receipt } from "../../simulate/judge/index.ts"
import type { Evidence, Span } from "./Evidence.ts"
import { groupBy } from "./groupBy.ts"

/**
 * How many receipts an event can have: one, plus one for each incident between the first and the last. An incident can
 * lose the settlement, and the event is then sent again after its lease.
 */
const maxReceipts = (times: ReadonlyArray<Receipt>, incidents: ReadonlyArray<Span>): number => {
  const moments = times.map(({ at }) => at)
  const [first, last] = [Math.min(...moments), Math.max(...moments)]
  return 1 + incidents.filter(({ from, until }) => from <= last && until >= first).length
}

export const judgeEvents = ({ receipts, incidents, unsound }: Evidence): ReadonlyArray<string> => [
  ...[...groupBy(receipts, ({ event }) => event.id)]
    .filter(([, same]) => same.length > maxReceipts(same, incidents))
    .map(([id, same]) => `event ${id} was received ${same.length} times`),
  ...(unsound > 0 ? [`${unsound} requests to the receiver had no valid event`] : []),
]
