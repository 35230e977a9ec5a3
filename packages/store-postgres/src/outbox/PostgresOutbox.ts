import {
  currentActor,
  type DeliveryRecord,
  isStorableText,
  Outbox,
  type QueueClaim,
  type QueueLease,
  type ReplaySelection,
} from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { auditColumns } from "../audit/auditColumns.ts"
import type { Database } from "../database/Database.ts"
import { type List, readPage } from "../database/pages.ts"
import { storeEffect } from "../database/storeEffect.ts"
import { millisOr, numberIn, toSeconds, textIn } from "../database/values.ts"
import { claimByQueue, claimFromHead } from "./claimQueues.sql.ts"
import { attemptFromRow, deliveryRow, leaseRow, queuesFromRows, recordFromRow } from "./DeliveryRow.ts"
import {
  addDelivery,
  listAttempts,
  measureDepth,
  measureQueue,
  purgeDeliveries,
  replayDeliveries,
  supersedeDeliveries,
} from "./operations.sql.ts"
import { listDeliveries } from "./listDeliveries.sql.ts"
import { readQueues } from "./dueDeliveries.sql.ts"
import { renewLeases } from "./queueLeases.sql.ts"
import { makeSettle } from "./settle.ts"

type ClaimRequest = Parameters<Outbox["Service"]["claim"]>[0]

/** Deliveries at the head of all queues that a claim looks at before it goes from queue to queue. */
const headRows = 2_000
const purgedAtOnce = 5_000
/** As `QueueDepth` says. */
const maxCounted = 10_000

const deliveryList: List<DeliveryRecord> = {
  fromRow: recordFromRow,
  position: ({ event, endpointId }) => [toSeconds(event.occurredAt), event.id, endpointId],
  texts: [isStorableText, isStorableText],
}

/** The outbox on Postgres: any number of processes may claim from it at once. */
export const makeOutbox = (database: Database): Outbox["Service"] => {
  const { query, report } = database
  const settle = makeSettle(database)

  const claim = Effect.fnUntraced(function* (request: ClaimRequest) {
    const { now, limit, deliveries, leaseMs, excludedEndpoints = [], bucket } = request
    const values = (most: number) => [
      toSeconds(now),
      most,
      deliveries,
      leaseMs,
      bucket?.of ?? null,
      bucket?.index ?? null,
      JSON.stringify(excludedEndpoints),
      headRows,
    ]
    const rows = [...(yield* query("claim", claimFromHead, values(limit)))]
    const [found] = rows
    const leased = queuesFromRows(rows).length
    if (found !== undefined && numberIn(found, "looked_at") >= headRows && leased < limit) {
      rows.push(...(yield* query("claim", claimByQueue, values(limit - leased))))
    }
    const nextDueAt = millisOr(found?.["next_due_at"])
    const claimed: QueueClaim = { queues: queuesFromRows(rows) }
    return nextDueAt === undefined ? claimed : { ...claimed, nextDueAt }
  })

  const read: Outbox["Service"]["read"] = (queues, now) => {
    const rows = queues.map(({ lease, limit }) => ({ ...leaseRow(lease), max_rows: limit }))
    return Effect.map(query("read", readQueues, [toSeconds(now), JSON.stringify(rows)]), queuesFromRows)
  }

  const endIn = (operation: string, leases: ReadonlyArray<QueueLease>, ms: number) =>
    leases.length === 0
      ? Effect.succeed([])
      : Effect.map(query(operation, renewLeases, [JSON.stringify(leases.map(leaseRow)), ms]), (rows) =>
          rows.map((row) => textIn(row, "token")),
        )

  const replay = Effect.fnUntraced(function* (issuer: Cnpj, selection: ReplaySelection, now: number, name?: string) {
    const { eventId, chargeId, period } = selection
    if (eventId === undefined && chargeId === undefined && period === undefined) return 0
    const { statement, values } = replayDeliveries(issuer, selection, now, (yield* currentActor) ?? null, name)
    return (yield* query("replay", statement, values)).length
  })

  /** In bites, so that years of deliveries are no statement of minutes. */
  const purge = Effect.fnUntraced(function* (settledBefore: number) {
    for (let purged = 0; ;) {
      const [row] = yield* query("purge", purgeDeliveries, [toSeconds(settledBefore), purgedAtOnce])
      const bite = row === undefined ? 0 : numberIn(row, "purged")
      if (bite === 0) return purged
      purged += bite
    }
  })

  return Outbox.of({
    claim,
    read,
    renew: (leases, leaseMs) => endIn("renew", leases, leaseMs),
    release: (leases, restMs = 0) => Effect.asVoid(endIn("release", leases, restMs)),
    settle: (settlements, now) => {
      if (settlements.length === 0) return Effect.succeed([])
      return storeEffect("settle", () => settle(settlements, now))
    },
    add: Effect.fnUntraced(function* (delivery, now, audit) {
      const record = JSON.stringify(auditColumns(audit, yield* currentActor))
      yield* query("add", addDelivery, [JSON.stringify(deliveryRow(delivery)), toSeconds(now), record])
    }),
    supersede: (issuer, id, now) =>
      Effect.map(query("supersede", supersedeDeliveries, [issuer, id, toSeconds(now)]), (rows) => rows.length),
    list: (issuer, filter, request) =>
      readPage("list", deliveryList, request, (after, most, signal) => {
        const { statement, values } = listDeliveries(issuer, filter, after, most)
        return database.run(statement, values, { signal, reportOf: issuer })
      }),
    attempts: (issuer, eventId, endpointId) =>
      Effect.map(report("attempts", issuer, listAttempts, [issuer, eventId, endpointId]), (rows) =>
        rows.map((row) => attemptFromRow(row, "status")),
      ),
    replay,
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
    purge,
  })
}
