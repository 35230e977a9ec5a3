import type {
  ClaimedDelivery,
  DeliveryAttempt,
  DeliveryRecord,
  DeliveryStatus,
  NewDelivery,
  Settlement,
} from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charge"
import type { Row } from "../database/Database.ts"
import {
  millisIn,
  millisOr,
  numberIfAny,
  numberIn,
  numberOr,
  secondsOf,
  secondsOrNull,
  textIn,
  textOr,
} from "../database/values.ts"

/** What is stored of a delivery that begins to wait. */
export const deliveryRowOf = ({ event, endpointId }: NewDelivery) => ({
  issuer: event.issuer,
  charge_id: event.payment?.chargeId,
  event_id: event.id,
  endpoint_id: endpointId,
  event,
  kind: event.kind,
  occurred_at: secondsOf(event.occurredAt),
})

const fates = { Delivered: "delivered", Dead: "dead", Retry: "retry", Postponed: "postponed" } as const

export const settlementRowOf = ({ issuer, eventId, endpointId, leaseToken, fate, attempt }: Settlement) => ({
  issuer,
  event_id: eventId,
  endpoint_id: endpointId,
  lease_token: leaseToken,
  fate: fates[fate._tag],
  next_at: "at" in fate ? secondsOrNull(fate.at) : null,
  reason: fate._tag === "Dead" ? fate.reason : null,
  attempted: attempt !== undefined,
  started_at: secondsOrNull(attempt?.startedAt),
  latency_ms: numberIfAny(attempt?.latencyMs),
  status: numberIfAny(attempt?.status),
  error: attempt?.error,
  answer: attempt?.answer,
})

const chargeEvent = (row: Row): PixEvent => JSON.parse(textIn(row, "event")) as PixEvent

export const claimOf = (row: Row): ClaimedDelivery => ({
  event: chargeEvent(row),
  endpointId: textIn(row, "endpoint_id"),
  attempt: numberIn(row, "attempts") + 1,
  leaseToken: textIn(row, "lease_token"),
})

/** An attempt; `statusColumn` holds the receiver's HTTP status. */
export const attemptOf = (row: Row, statusColumn: string): DeliveryAttempt => {
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

export const recordOf = (row: Row): DeliveryRecord => {
  const nextAt = millisOr(row["next_at"])
  const settledAt = millisOr(row["settled_at"])
  const reason = textOr(row["reason"])
  const isAttempted = row["started_at"] !== null
  return {
    event: chargeEvent(row),
    endpointId: textIn(row, "endpoint_id"),
    status: textIn(row, "status") as DeliveryStatus,
    attempts: numberIn(row, "attempts"),
    ...(nextAt !== undefined && { nextAt }),
    ...(settledAt !== undefined && { settledAt }),
    ...(reason !== undefined && { reason }),
    ...(isAttempted && { lastAttempt: attemptOf(row, "http_status") }),
  }
}
