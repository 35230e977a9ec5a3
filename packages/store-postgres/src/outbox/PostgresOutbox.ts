import {
  type DeliveryKey,
  type DeliveryRecord,
  isStorableText,
  Outbox,
  type QueueClaim,
  type QueueLease,
  type ReplaySelection,
  type Settlement,
  storableSettlement,
} from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { auditColumns, currentAuthor } from "../sql/Author.ts"
import { type Database, storeEffect } from "../sql/Database.ts"
import { SqlFailure } from "../sql/SqlFailure.ts"
import { type List, readPage } from "../sql/pages.ts"
import { millisOr, numberIn, textIn, toSeconds } from "../sql/values.ts"
import {
  attemptColumns,
  deliveryKey,
  deliveryRow,
  depthFromRow,
  leaseRow,
  queuesFromRows,
  recordFromRow,
  settlementRow,
} from "./DeliveryRow.ts"
import { claimByQueue, claimFromHead, readQueues, renewLeases } from "./claimQueues.sql.ts"
import { listDeliveries } from "./listDeliveries.sql.ts"
import {
  addDelivery,
  listAttempts,
  maxCounted,
  measureDepth,
  measureQueue,
  purgeDeliveries,
  replayDeliveries,
  supersedeDeliveries,
} from "./operations.sql.ts"
import { settleDeliveries } from "./settleDeliveries.sql.ts"

const purgedAtOnce = 5_000

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
    const { statement, values } = replayDeliveries(issuer, selection, { now, author: yield* currentAuthor, name })
    return (yield* query("replay", statement, values)).length
  })

  /** Deletes in batches, because one statement for years of deliveries would take minutes. */
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

const deliveryList: List<DeliveryRecord> = {
  fromRow: recordFromRow,
  position: ({ event, endpointId }) => [toSeconds(event.occurredAt), event.id, endpointId],
  textChecks: [isStorableText, isStorableText],
}

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
    Effect.map(report("queueDepth", issuer, measureQueue, [issuer, endpointId, maxCounted]), ([row = {}]) => ({
      ...depthFromRow(row),
      retrying: numberIn(row, "retrying"),
    })),
  depth: Effect.map(query("depth", measureDepth, []), ([row = {}]) => depthFromRow(row)),
})

const headRows = 2_000

/** Claims the queues that have waited longest or, if many of these are leased, any queues. */
export const makeClaim = ({ query }: Database): Outbox["Service"]["claim"] =>
  Effect.fnUntraced(function* ({ now, limit, deliveries, leaseMs, excludedEndpoints = [] }) {
    const values = (maxQueues: number) => [
      toSeconds(now),
      maxQueues,
      deliveries,
      leaseMs,
      JSON.stringify(excludedEndpoints),
      headRows,
    ]
    const rows = [...(yield* query("claim", claimFromHead, values(limit)))]
    const [first] = rows
    const lookedAt = first === undefined ? 0 : numberIn(first, "looked_at")
    const hasLeft = lookedAt > rows.filter((row) => row["event"] !== null).length
    const claimedCount = queuesFromRows(rows).length
    if (lookedAt >= headRows && claimedCount < limit) {
      rows.push(...(yield* query("claim", claimByQueue, values(limit - claimedCount))))
    }
    const nextDueAt = hasLeft ? now : millisOr(first?.["next_due_at"])
    const claim: QueueClaim = { queues: queuesFromRows(rows) }
    return nextDueAt === undefined ? claim : { ...claim, nextDueAt }
  })

const distinctSettlements = (settlements: ReadonlyArray<Settlement>): ReadonlyArray<Settlement> => [
  ...new Map(
    settlements.map((one) => [`${one.lease.token} ${one.lease.endpointId} ${one.lease.issuer} ${one.eventId}`, one]),
  ).values(),
]

/**
 * If a value can't be stored, records each attempt by itself, without that value. Skips an attempt that still fails, as if its
 * lease had ended.
 */
export const makeSettle = ({ run }: Database) => {
  const send = async (settlements: ReadonlyArray<Settlement>, now: number): Promise<ReadonlyArray<DeliveryKey>> => {
    const values = [JSON.stringify(settlements.map(settlementRow)), toSeconds(now)]
    return (await run(settleDeliveries, values)).rows.map(deliveryKey)
  }

  const catchBadValue = async <A>(attempt: Promise<A>, otherwise: () => A | Promise<A>): Promise<A> => {
    try {
      return await attempt
    } catch (error) {
      if (!(error instanceof SqlFailure) || error.kind !== "badValue") throw error
      return otherwise()
    }
  }

  const sendEach = async (settlements: ReadonlyArray<Settlement>, now: number): Promise<ReadonlyArray<DeliveryKey>> => {
    const recordedKeys: Array<DeliveryKey> = []
    for (const settlement of settlements) {
      recordedKeys.push(...(await catchBadValue(send([storableSettlement(settlement, now)], now), () => [])))
    }
    return recordedKeys
  }

  return (settlements: ReadonlyArray<Settlement>, now: number): Promise<ReadonlyArray<DeliveryKey>> => {
    const distinct = distinctSettlements(settlements)
    return catchBadValue(send(distinct, now), () => sendEach(distinct, now))
  }
}
