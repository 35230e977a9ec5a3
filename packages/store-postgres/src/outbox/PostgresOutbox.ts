import { type DeliveryRecord, isStorableText, Outbox, type QueueLease, type ReplaySelection } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { auditColumns, currentAuthor } from "../reports/Author.ts"
import type { Database } from "../sql/Database.ts"
import { type List, readPage } from "../sql/pages.ts"
import { storeEffect } from "../sql/storeEffect.ts"
import { millisOr, numberIn, textIn, toSeconds } from "../sql/values.ts"
import { attemptColumns, deliveryRow, leaseRow, queuesFromRows, recordColumns } from "./DeliveryRow.ts"
import { makeClaim } from "./claim.ts"
import { readQueues, renewLeases } from "./claimQueues.sql.ts"
import { listDeliveries } from "./listDeliveries.sql.ts"
import {
  addDelivery,
  listAttempts,
  measureDepth,
  measureQueue,
  purgeDeliveries,
  replayDeliveries,
  supersedeDeliveries,
} from "./operations.sql.ts"
import { makeSettle } from "./settle.ts"

const purgedAtOnce = 5_000

/** The outbox on Postgres: any number of processes may claim from it at once. */
export const makeOutbox = (database: Database): Outbox["Service"] => {
  const { query } = database
  const settle = makeSettle(database)

  const endLeasesIn = (operation: string, leases: ReadonlyArray<QueueLease>, ms: number) =>
    leases.length === 0
      ? Effect.succeed([])
      : Effect.map(query(operation, renewLeases, [JSON.stringify(leases.map(leaseRow)), ms]), (rows) =>
          rows.map((row) => textIn(row, "token")),
        )

  const replay = Effect.fnUntraced(function* (issuer: Cnpj, selection: ReplaySelection, now: number, name?: string) {
    const { eventId, chargeId, period } = selection
    if (eventId === undefined && chargeId === undefined && period === undefined) return 0
    const { statement, values } = replayDeliveries(issuer, selection, now, yield* currentAuthor, name)
    return (yield* query("replay", statement, values)).length
  })

  /** Deletes some at a time: years of deliveries in one statement would take minutes. */
  const purge = Effect.fnUntraced(function* (settledBefore: number) {
    for (let total = 0; ;) {
      const [row] = yield* query("purge", purgeDeliveries, [toSeconds(settledBefore), purgedAtOnce])
      const purged = row === undefined ? 0 : numberIn(row, "purged")
      if (purged === 0) return total
      total += purged
    }
  })

  return Outbox.of({
    ...makeDeliveryReports(database),
    claim: makeClaim(database),
    read: (queues, now) => {
      const rows = queues.map(({ lease, limit }) => ({ ...leaseRow(lease), max_rows: limit }))
      return Effect.map(query("read", readQueues, [toSeconds(now), JSON.stringify(rows)]), queuesFromRows)
    },
    renew: (leases, leaseMs) => endLeasesIn("renew", leases, leaseMs),
    release: (leases, afterMs = 0) => Effect.asVoid(endLeasesIn("release", leases, afterMs)),
    settle: (settlements, now) =>
      settlements.length === 0 ? Effect.succeed([]) : storeEffect("settle", () => settle(settlements, now)),
    add: Effect.fnUntraced(function* (delivery, now, audit) {
      const record = JSON.stringify(auditColumns(audit, yield* currentAuthor))
      yield* query("add", addDelivery, [JSON.stringify(deliveryRow(delivery)), toSeconds(now), record])
    }),
    supersede: (issuer, id, now) =>
      Effect.map(query("supersede", supersedeDeliveries, [issuer, id, toSeconds(now)]), (rows) => rows.length),
    replay,
    purge,
  })
}

/** As `QueueDepth` says. */
const maxCounted = 10_000

const deliveryList: List<DeliveryRecord> = {
  fromRow: recordColumns.fromRow,
  position: ({ event, endpointId }) => [toSeconds(event.occurredAt), event.id, endpointId],
  texts: [isStorableText, isStorableText],
}

/** The reports of the outbox. */
const makeDeliveryReports = ({
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
