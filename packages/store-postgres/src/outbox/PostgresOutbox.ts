import {
  type DeliveryFilter,
  Outbox,
  type PageRequest,
  type QueueClaim,
  type QueueLease,
  type ReplaySelection,
} from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Database } from "../database/Database.ts"
import { pageOf, positionOf, rowsFor } from "../database/pages.ts"
import { storeEffect } from "../database/storeEffect.ts"
import { millisOr, numberIn, secondsOf, textIn } from "../database/values.ts"
import { claimByQueue, claimFromHead } from "./claimQueues.sql.ts"
import { attemptFromRow, deliveryRow, leaseRow, queuesFromRows, recordFromRow } from "./DeliveryRow.ts"
import {
  addDelivery,
  listAttempts,
  measureDepth,
  purgeDeliveries,
  replayDeliveries,
  supersedeDeliveries,
} from "./deskDeliveries.sql.ts"
import { listDeliveries } from "./listDeliveries.sql.ts"
import { readQueues } from "./dueDeliveries.sql.ts"
import { renewLeases } from "./queueLeases.sql.ts"
import { makeSettle } from "./settle.ts"

type ClaimRequest = Parameters<Outbox["Service"]["claim"]>[0]

/** Deliveries at the head of all queues that a claim looks at before it goes from queue to queue. */
const headRows = 2_000
const purgedAtOnce = 5_000

/** The outbox on Postgres: any number of processes may claim from it at once. */
export const makeOutbox = (database: Database): Outbox["Service"] => {
  const { query, schema } = database
  const fromHead = claimFromHead(schema)
  const byQueue = claimByQueue(schema)
  const reading = readQueues(schema)
  const settle = makeSettle(database)
  const renewing = renewLeases(schema)
  const adding = addDelivery(schema)
  const superseding = supersedeDeliveries(schema)
  const attempts = listAttempts(schema)
  const measuring = measureDepth(schema)
  const purging = purgeDeliveries(schema)

  const claim = Effect.fnUntraced(function* (request: ClaimRequest) {
    const { now, limit, deliveries, leaseMs, except = [], bucket } = request
    const values = (most: number) => [
      secondsOf(now),
      most,
      deliveries,
      leaseMs,
      bucket?.of ?? null,
      bucket?.index ?? null,
      JSON.stringify(except),
      headRows,
    ]
    const rows = [...(yield* query("claim", fromHead, values(limit)))]
    const [found] = rows
    const leased = queuesFromRows(rows).length
    if (found !== undefined && numberIn(found, "looked_at") >= headRows && leased < limit) {
      rows.push(...(yield* query("claim", byQueue, values(limit - leased))))
    }
    const nextDueAt = millisOr(found?.["next_due_at"])
    const claimed: QueueClaim = { queues: queuesFromRows(rows) }
    return nextDueAt === undefined ? claimed : { ...claimed, nextDueAt }
  })

  const read: Outbox["Service"]["read"] = (queues, now) => {
    const rows = queues.map(({ lease, limit }) => ({ ...leaseRow(lease), most: limit }))
    return Effect.map(query("read", reading, [secondsOf(now), JSON.stringify(rows)]), queuesFromRows)
  }

  const endIn = (operation: string, leases: ReadonlyArray<QueueLease>, ms: number) =>
    leases.length === 0
      ? Effect.succeed([])
      : Effect.map(query(operation, renewing, [JSON.stringify(leases.map(leaseRow)), ms]), (rows) =>
          rows.map((row) => textIn(row, "token")),
        )

  const list = Effect.fnUntraced(function* (issuer: Cnpj, filter: DeliveryFilter, request: PageRequest) {
    const position = yield* positionOf("list", request, 2)
    const { statement, values } = listDeliveries(schema, issuer, filter, { rows: rowsFor(request), position })
    const rows = yield* query("list", statement, values)
    return pageOf(rows.map(recordFromRow), request, ({ event, endpointId }) => [
      secondsOf(event.occurredAt),
      event.id,
      endpointId,
    ])
  })

  const replay = Effect.fnUntraced(function* (issuer: Cnpj, selection: ReplaySelection, now: number) {
    const { eventId, chargeId, period } = selection
    if (eventId === undefined && chargeId === undefined && period === undefined) return 0
    const { statement, values } = replayDeliveries(schema, issuer, selection, now)
    return (yield* query("replay", statement, values)).length
  })

  /** In bites, so that years of deliveries are no statement of minutes. */
  const purge = Effect.fnUntraced(function* (settledBefore: number) {
    for (let purged = 0; ;) {
      const [row] = yield* query("purge", purging, [secondsOf(settledBefore), purgedAtOnce])
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
    add: (delivery, now) =>
      Effect.asVoid(query("add", adding, [JSON.stringify(deliveryRow(delivery)), secondsOf(now)])),
    supersede: (issuer, id, now) =>
      Effect.map(query("supersede", superseding, [issuer, id, secondsOf(now)]), (rows) => rows.length),
    list,
    attempts: (issuer, eventId, endpointId) =>
      Effect.map(query("attempts", attempts, [issuer, eventId, endpointId]), (rows) =>
        rows.map((row) => attemptFromRow(row, "status")),
      ),
    replay,
    depth: Effect.map(query("depth", measuring, []), ([row]) => {
      const oldestAt = millisOr(row?.["oldest_at"])
      return { waiting: row === undefined ? 0 : numberIn(row, "waiting"), ...(oldestAt !== undefined && { oldestAt }) }
    }),
    purge,
  })
}
