import { type DeliveryFilter, Outbox, type PageRequest, type ReplaySelection } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Database, Row } from "../database/Database.ts"
import { pageOf, positionOf, rowsFor } from "../database/pages.ts"
import { storeEffect } from "../database/storeEffect.ts"
import { millisOr, numberIn, secondsOf, textIn } from "../database/values.ts"
import { claimByEndpoint, claimFromHead } from "./claimDeliveries.sql.ts"
import { attemptOf, claimOf, deliveryRowOf, recordOf } from "./DeliveryRow.ts"
import {
  addDelivery,
  listAttempts,
  measureDepth,
  purgeDeliveries,
  replayDeliveries,
  supersedeDeliveries,
} from "./deskDeliveries.sql.ts"
import { listDeliveries } from "./listDeliveries.sql.ts"
import { makeSettle } from "./settle.ts"
import { renewLeases } from "./settleDeliveries.sql.ts"

type ClaimRequest = Parameters<Outbox["Service"]["claim"]>[0]

/** Rows at the head of the queue that a claim looks at before it goes from endpoint to endpoint. */
const headRows = 2_000
const purgedAtOnce = 5_000

const byMoment = (a: Row, b: Row): number => numberIn(a, "next_at") - numberIn(b, "next_at")

/** The outbox on Postgres: any number of processes may claim from it at once. */
export const makeOutbox = (database: Database): Outbox["Service"] => {
  const { query, schema } = database
  const fromHead = claimFromHead(schema)
  const byEndpoint = claimByEndpoint(schema)
  const settle = makeSettle(database)
  const renewing = renewLeases(schema)
  const adding = addDelivery(schema)
  const superseding = supersedeDeliveries(schema)
  const attempts = listAttempts(schema)
  const measuring = measureDepth(schema)
  const purging = purgeDeliveries(schema)

  const claim = Effect.fnUntraced(function* ({ now, limit, leaseMs, except = [], bucket }: ClaimRequest) {
    const values = (most: number, look: number) => [
      secondsOf(now),
      most,
      leaseMs,
      bucket?.of ?? null,
      bucket?.index ?? null,
      JSON.stringify(except),
      look,
    ]
    const isNarrowed = except.length > 0
    const rows = [...(yield* query("claim", fromHead, values(limit, isNarrowed ? headRows : limit * 64)))]
    if (isNarrowed && rows.length < limit) {
      const missing = limit - rows.length
      rows.push(...(yield* query("claim", byEndpoint, values(missing, missing))))
    }
    return rows.toSorted(byMoment).map(claimOf)
  })

  const tokens = (rows: ReadonlyArray<Row>) => rows.map((row) => textIn(row, "lease_token"))

  const list = Effect.fnUntraced(function* (issuer: Cnpj, filter: DeliveryFilter, request: PageRequest) {
    const position = yield* positionOf("list", request, 2)
    const { statement, values } = listDeliveries(schema, issuer, filter, { rows: rowsFor(request), position })
    const rows = yield* query("list", statement, values)
    return pageOf(rows.map(recordOf), request, ({ event, endpointId }) => [
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
    renew: (claims, leaseMs) => {
      if (claims.length === 0) return Effect.succeed([])
      const rows = claims.map(({ event, endpointId, leaseToken }) => ({
        issuer: event.issuer,
        event_id: event.id,
        endpoint_id: endpointId,
        lease_token: leaseToken,
      }))
      return Effect.map(query("renew", renewing, [JSON.stringify(rows), leaseMs]), tokens)
    },
    settle: (settlements, now) => {
      if (settlements.length === 0) return Effect.succeed([])
      return storeEffect("settle", () => settle(settlements, now))
    },
    add: (delivery, now) =>
      Effect.asVoid(query("add", adding, [JSON.stringify(deliveryRowOf(delivery)), secondsOf(now)])),
    supersede: (issuer, id, now) =>
      Effect.map(query("supersede", superseding, [issuer, id, secondsOf(now)]), (rows) => rows.length),
    list,
    attempts: (issuer, eventId, endpointId) =>
      Effect.map(query("attempts", attempts, [issuer, eventId, endpointId]), (rows) =>
        rows.map((row) => attemptOf(row, "status")),
      ),
    replay,
    depth: Effect.map(query("depth", measuring, []), ([row]) => {
      const oldestAt = millisOr(row?.["oldest_at"])
      return { waiting: row === undefined ? 0 : numberIn(row, "waiting"), ...(oldestAt !== undefined && { oldestAt }) }
    }),
    purge,
  })
}
