import { type DeliveryRecord, isStorableText, type Outbox } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Database } from "../database/Database.ts"
import { type List, readPage } from "../database/pages.ts"
import { millisOr, numberIn, toSeconds } from "../database/values.ts"
import { attemptColumns, recordColumns } from "./DeliveryRow.ts"
import { listDeliveries } from "./listDeliveries.sql.ts"
import { listAttempts, measureDepth, measureQueue } from "./operations.sql.ts"

/** As `QueueDepth` says. */
const maxCounted = 10_000

const deliveryList: List<DeliveryRecord> = {
  fromRow: recordColumns.fromRow,
  position: ({ event, endpointId }) => [toSeconds(event.occurredAt), event.id, endpointId],
  texts: [isStorableText, isStorableText],
}

/** The reports of the outbox. */
export const makeDeliveryReports = ({
  query,
  report,
  run,
}: Database): Pick<Outbox["Service"], "list" | "attempts" | "queueDepth" | "depth"> => ({
  list: (issuer, filter, request) =>
    readPage("list", deliveryList, request, (after, limit, signal) => {
      const { statement, values } = listDeliveries(issuer, filter, after, limit)
      return run(statement, values, { signal, reportOf: issuer })
    }),
  attempts: (issuer, eventId, endpointId) =>
    Effect.map(report("attempts", issuer, listAttempts, [issuer, eventId, endpointId]), (rows) =>
      rows.map(attemptColumns.fromRow),
    ),
  queueDepth: (issuer, endpointId) =>
    Effect.map(report("queueDepth", issuer, measureQueue, [issuer, endpointId, maxCounted]), ([row = {}]) => {
      const oldestAt = millisOr(row["oldest_at"])
      return {
        waiting: numberIn(row, "waiting"),
        retrying: numberIn(row, "retrying"),
        ...(oldestAt !== undefined && { oldestAt }),
      }
    }),
  depth: Effect.map(query("depth", measureDepth, [maxCounted]), ([row]) => {
    const oldestAt = millisOr(row?.["oldest_at"])
    return { waiting: row === undefined ? 0 : numberIn(row, "waiting"), ...(oldestAt !== undefined && { oldestAt }) }
  }),
})
