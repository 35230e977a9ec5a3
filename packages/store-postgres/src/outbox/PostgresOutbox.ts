import { Outbox, type QueueLease, type ReplaySelection } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { currentAuthor } from "../audit/Author.ts"
import { auditColumns } from "../audit/auditColumns.ts"
import type { Database } from "../database/Database.ts"
import { storeEffect } from "../database/storeEffect.ts"
import { numberIn, toSeconds, textIn } from "../database/values.ts"
import { makeClaim } from "./claim.ts"
import { makeDeliveryReports } from "./deliveryReports.ts"
import { deliveryRow, leaseRow, queuesFromRows } from "./DeliveryRow.ts"
import { addDelivery, purgeDeliveries, replayDeliveries, supersedeDeliveries } from "./operations.sql.ts"
import { readQueues } from "./dueDeliveries.sql.ts"
import { renewLeases } from "./queueLeases.sql.ts"
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
