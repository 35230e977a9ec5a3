import type { Charge } from "./Charge.ts"
import type { CycleNews } from "./CycleNews.ts"
import { type RecurrenceEvent, recurrenceEventId } from "./PixEvent.ts"

/** The event of what is told of a cycle's charge; undefined for a charge of no cycle. */
export const cycleEvent = (charge: Charge, news: CycleNews, companyName: string): RecurrenceEvent | undefined => {
  const { issuer, id, txid, amountCents, cycle } = charge
  if (cycle === undefined) return undefined
  const { recurrenceId, contract } = cycle
  const on = news.kind === "payment-scheduled" ? news.attempt.on : news.on
  const facts = {
    id: recurrenceEventId(
      { issuer, recurrenceId },
      `${cycle.cycle}_${cycle.generation}_${news.kind}_${on}${news.kind === "payment-failed" ? `_${news.reason}` : ""}`,
    ),
    issuer,
    companyName,
    occurredAt: charge.updatedAt,
    recurrence: { recurrenceId, contract },
    cycle: cycle.cycle,
    charge: { chargeId: id, txid, amountCents },
    on,
  }
  if (news.kind === "payment-scheduled") return { ...facts, kind: news.kind }
  return { ...facts, ...news }
}
