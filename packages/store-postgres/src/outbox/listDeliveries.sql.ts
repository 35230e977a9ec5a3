import type { DeliveryFilter, DeliveryStatus } from "@pixcharge/core"
import { makeValues, repeatable, type SqlWithValues, type Values } from "../sql/Sql.ts"
import { toSeconds } from "../sql/values.ts"
import { eventShown } from "./DeliveryRow.ts"

const order = "occurred_at DESC, event_id DESC, endpoint_id DESC"

const statusConditions: Readonly<Record<DeliveryStatus, string>> = {
  waiting: "w.superseded_at IS NULL",
  superseded: "w.superseded_at IS NOT NULL",
  delivered: "w.status = 'delivered'",
  dead: "w.status = 'dead'",
}

const selectUnsettled = (status: "waiting" | "superseded", conditions: string, limit: string): string => `(
    SELECT
      w.issuer, w.event_id, w.endpoint_id, w.event, w.kind, w.occurred_at, w.attempts, w.recorded, NULL AS reason,
      '${status}' AS status, ${status === "waiting" ? "w.next_at" : "NULL::timestamptz"} AS next_at, w.superseded_at AS settled_at,
      NULL::timestamptz AS attempt_started_at, NULL::float8 AS attempt_latency_ms, NULL::integer AS attempt_status,
      NULL AS attempt_error, NULL AS attempt_answer
    FROM @.deliveries w
    WHERE ${conditions} AND ${statusConditions[status]}
    ORDER BY ${order} LIMIT ${limit}
  )`

const selectSettled = (conditions: string, limit: string): string => `(
    SELECT
      w.issuer, w.event_id, w.endpoint_id, w.event, w.kind, w.occurred_at, w.attempts, w.recorded, w.reason,
      w.status, NULL::timestamptz AS next_at, w.settled_at,
      w.attempt_started_at, w.attempt_latency_ms, w.attempt_status, w.attempt_error, w.attempt_answer
    FROM @.settled_deliveries w
    WHERE ${conditions}
    ORDER BY ${order} LIMIT ${limit}
  )`

/** Waiting and superseded deliveries have separate indexes by time. One query for both would use neither index. */
const selectByStatus = (status: DeliveryStatus | undefined, conditions: string, limit: string): string => {
  switch (status) {
    case undefined:
      return [
        selectUnsettled("waiting", conditions, limit),
        selectUnsettled("superseded", conditions, limit),
        selectSettled(conditions, limit),
      ].join("\n  UNION ALL\n  ")
    case "waiting":
    case "superseded":
      return selectUnsettled(status, conditions, limit)
    default:
      return selectSettled(`${conditions} AND ${statusConditions[status]}`, limit)
  }
}

export const listDeliveries = (
  issuer: string,
  filter: DeliveryFilter,
  position: ReadonlyArray<string | number>,
  maxRows: number,
): SqlWithValues => {
  const collected = makeValues()
  const { values, value } = collected
  let conditions = selectionConditions(issuer, filter, collected)
  if (position.length > 0) {
    const [at, event, endpoint] = [value(position[0], "float8"), value(position[1], "text"), value(position[2], "text")]
    conditions += ` AND (w.occurred_at, w.event_id, w.endpoint_id) < (to_timestamp(${at}), ${event} COLLATE "C", ${endpoint} COLLATE "C")`
  }
  const limit = value(maxRows, "integer")
  const statement = repeatable(`
SELECT
  w.issuer, w.endpoint_id, ${eventShown}, w.status, w.attempts, w.reason,
  date_part('epoch', w.next_at) AS next_at,
  date_part('epoch', w.settled_at) AS settled_at,
  date_part('epoch', coalesce(w.attempt_started_at, a.started_at)) AS attempt_started_at,
  coalesce(w.attempt_latency_ms, a.latency_ms, 0) AS attempt_latency_ms,
  coalesce(w.attempt_status, a.status) AS attempt_status,
  coalesce(w.attempt_error, a.error) AS attempt_error,
  coalesce(w.attempt_answer, a.answer) AS attempt_answer
FROM (
  SELECT * FROM (${selectByStatus(filter.status, conditions, limit)}) s
  ORDER BY ${order} LIMIT ${limit}
) w
LEFT JOIN @.delivery_attempts a
  ON a.issuer = w.issuer AND a.event_id = w.event_id AND a.endpoint_id = w.endpoint_id AND a.number = w.recorded
    AND w.attempt_started_at IS NULL
ORDER BY w.occurred_at DESC, w.event_id DESC, w.endpoint_id DESC`)
  return { statement, values }
}

/** Contains only the given filters: a cached plan of the statement uses their indexes. */
export const selectionConditions = (
  issuer: string,
  { endpointId, eventId, chargeId, period }: Omit<DeliveryFilter, "status"> & { readonly eventId?: string },
  { value }: Values,
): string => {
  const conditions = [`w.issuer = ${value(issuer, "text")}`]
  if (endpointId !== undefined) conditions.push(`w.endpoint_id = ${value(endpointId, "text")}`)
  if (eventId !== undefined) conditions.push(`w.event_id = ${value(eventId, "text")}`)
  if (chargeId !== undefined) conditions.push(`w.charge_id = ${value(chargeId, "uuid")}`)
  if (period !== undefined) {
    conditions.push(`w.occurred_at >= to_timestamp(${value(toSeconds(period.from), "float8")})`)
    conditions.push(`w.occurred_at < to_timestamp(${value(toSeconds(period.until), "float8")})`)
  }
  return conditions.join(" AND ")
}
