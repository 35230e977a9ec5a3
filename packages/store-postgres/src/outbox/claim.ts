import type { Outbox, QueueClaim } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Database } from "../sql/Database.ts"
import { millisOr, numberIn, toSeconds } from "../sql/values.ts"
import { claimByQueue, claimFromHead } from "./claimQueues.sql.ts"
import { queuesFromRows } from "./DeliveryRow.ts"

/** Deliveries at the head of all queues that a claim looks at before it goes from queue to queue. */
const headRows = 2_000

/** Claims queues: those whose deliveries have waited longest, or, where many of these are leased, any. */
export const makeClaim = ({ query }: Database): Outbox["Service"]["claim"] =>
  Effect.fnUntraced(function* ({ now, limit, deliveries, leaseMs, excludedEndpoints = [], bucket }) {
    const values = (maxQueues: number) => [
      toSeconds(now),
      maxQueues,
      deliveries,
      leaseMs,
      bucket?.of ?? null,
      bucket?.index ?? null,
      JSON.stringify(excludedEndpoints),
      headRows,
    ]
    const rows = [...(yield* query("claim", claimFromHead, values(limit)))]
    const [first] = rows
    const claimedCount = queuesFromRows(rows).length
    if (first !== undefined && numberIn(first, "looked_at") >= headRows && claimedCount < limit) {
      rows.push(...(yield* query("claim", claimByQueue, values(limit - claimedCount))))
    }
    const nextDueAt = millisOr(first?.["next_due_at"])
    const claim: QueueClaim = { queues: queuesFromRows(rows) }
    return nextDueAt === undefined ? claim : { ...claim, nextDueAt }
  })
