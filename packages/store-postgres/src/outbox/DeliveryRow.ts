import type {
  DeliveryAttempt,
  DeliveryKey,
  DeliveryRecord,
  DeliveryStatus,
  LeasedQueue,
  NewDelivery,
  QueueLease,
  Settlement,
} from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import { Columns, instant, json, text } from "../database/Columns.ts"
import type { Row } from "../database/Database.ts"
import {
  millisIn,
  millisOr,
  numberIfAny,
  numberIn,
  numberOr,
  secondsOrNull,
  textIn,
  textOr,
} from "../database/values.ts"

/** What a delivery that begins to wait has besides its company and its place in the queue. */
export const deliveryColumns = new Columns<{
  readonly eventId: string
  readonly endpointId: string
  readonly event: PixEvent
  readonly kind: string
  readonly occurredAt: number
}>({ eventId: text, endpointId: text, event: json, kind: text, occurredAt: instant })

/** What is stored of a delivery that begins to wait. */
export const deliveryRow = ({ event, endpointId }: NewDelivery) => ({
  issuer: event.issuer,
  charge_id: event.payment?.chargeId,
  ...deliveryColumns.toRow({ eventId: event.id, endpointId, event, kind: event.kind, occurredAt: event.occurredAt }),
})

export const leaseRow = ({ issuer, endpointId, token }: QueueLease) => ({ issuer, endpoint_id: endpointId, token })

const fates = { Delivered: "delivered", Dead: "dead", Retry: "retry" } as const

// Written out: a spread here cost 7 µs for each delivery.
export const settlementRow = ({ lease, eventId, number, fate, attempt }: Settlement) => ({
  issuer: lease.issuer,
  endpoint_id: lease.endpointId,
  token: lease.token,
  event_id: eventId,
  number,
  fate: fates[fate._tag],
  next_at: "at" in fate ? secondsOrNull(fate.at) : null,
  reason: fate._tag === "Dead" ? fate.reason : null,
  started_at: secondsOrNull(attempt.startedAt),
  latency_ms: numberIfAny(attempt.latencyMs),
  status: numberIfAny(attempt.status),
  error: attempt.error,
  answer: attempt.answer,
})

const eventFromRow = (row: Row): PixEvent => JSON.parse(textIn(row, "event")) as PixEvent

export const deliveryKey = (row: Row): DeliveryKey => ({
  issuer: textIn(row, "issuer") as DeliveryKey["issuer"],
  eventId: textIn(row, "event_id"),
  endpointId: textIn(row, "endpoint_id"),
})

/** Queues from rows that each hold a queue and one of its deliveries, in their order, or either of them is null. */
export const queuesFromRows = (rows: ReadonlyArray<Row>): ReadonlyArray<LeasedQueue> => {
  const queues = new Map<string, LeasedQueue & { readonly due: Array<LeasedQueue["due"][number]> }>()
  for (const row of rows) {
    if (row["token"] === null) continue
    const token = textIn(row, "token")
    let queue = queues.get(token)
    if (queue === undefined) {
      const { issuer, endpointId } = deliveryKey(row)
      queue = { lease: { issuer, endpointId, token }, due: [] }
      queues.set(token, queue)
    }
    if (row["event"] === null) continue
    const { endpointId } = queue.lease
    queue.due.push({ event: eventFromRow(row), endpointId, attempt: numberIn(row, "attempts") + 1 })
  }
  return [...queues.values()]
}

/** An attempt; `statusColumn` holds the receiver's HTTP status. */
export const attemptFromRow = (row: Row, statusColumn: string): DeliveryAttempt => {
  const status = numberOr(row[statusColumn])
  const error = textOr(row["error"])
  const answer = textOr(row["answer"])
  return {
    startedAt: millisIn(row, "started_at"),
    latencyMs: numberIn(row, "latency_ms"),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(answer !== undefined && { answer }),
  }
}

export const recordFromRow = (row: Row): DeliveryRecord => {
  const nextAt = millisOr(row["next_at"])
  const settledAt = millisOr(row["settled_at"])
  const reason = textOr(row["reason"])
  const isAttempted = row["started_at"] !== null
  return {
    event: eventFromRow(row),
    endpointId: textIn(row, "endpoint_id"),
    status: textIn(row, "status") as DeliveryStatus,
    attempts: numberIn(row, "attempts"),
    ...(nextAt !== undefined && { nextAt }),
    ...(settledAt !== undefined && { settledAt }),
    ...(reason !== undefined && { reason }),
    ...(isAttempted && { lastAttempt: attemptFromRow(row, "http_status") }),
  }
}
