import { type Sql, sql } from "../database/Database.ts"
import type { SchemaName } from "../SchemaName.ts"

// $1 issuer; $2 endpoint; $3 charge; $4 and $5 period, in seconds; $6 limit; $7, $8 and $9 where the page before ended:
// seconds, event, endpoint; $10 status. Null is no condition.
const isListed = `
  w.issuer = $1
  AND ($2::text IS NULL OR w.endpoint_id = $2)
  AND ($3::uuid IS NULL OR w.charge_id = $3::uuid)
  AND ($4::float8 IS NULL OR w.occurred_at >= to_timestamp($4))
  AND ($5::float8 IS NULL OR w.occurred_at < to_timestamp($5))
  AND ($7::float8 IS NULL OR w.occurred_at < to_timestamp($7)
    OR (w.occurred_at = to_timestamp($7) AND (w.event_id, w.endpoint_id) > ($8::text COLLATE "C", $9::text COLLATE "C")))`

const order = "occurred_at DESC, event_id, endpoint_id"

/** Deliveries of a company, newest event first: one page of what waits and of what is settled, merged. */
export const listDeliveries = (schema: SchemaName): Sql =>
  sql(
    `
SELECT
  w.event_id, w.endpoint_id, w.event::text AS event, w.status, w.attempts, w.reason,
  date_part('epoch', w.occurred_at) AS occurred_at,
  date_part('epoch', w.next_at) AS next_at,
  date_part('epoch', w.settled_at) AS settled_at,
  date_part('epoch', a.started_at) AS started_at,
  a.latency_ms, a.status AS http_status, a.error, a.answer
FROM (
  (
    SELECT
      w.issuer, w.event_id, w.endpoint_id, w.event, w.occurred_at, w.attempts, w.recorded, NULL AS reason,
      CASE WHEN w.superseded_at IS NULL THEN 'waiting' ELSE 'superseded' END AS status,
      CASE WHEN w.superseded_at IS NULL THEN w.next_at END AS next_at, w.superseded_at AS settled_at
    FROM ${schema}.deliveries w
    WHERE ${isListed}
      AND ($10::text IS NULL OR $10 = CASE WHEN w.superseded_at IS NULL THEN 'waiting' ELSE 'superseded' END)
    ORDER BY ${order} LIMIT $6
  )
  UNION ALL
  (
    SELECT
      w.issuer, w.event_id, w.endpoint_id, w.event, w.occurred_at, w.attempts, w.recorded, w.reason,
      w.status, NULL, w.settled_at
    FROM ${schema}.settled_deliveries w
    WHERE ${isListed} AND ($10::text IS NULL OR $10 = w.status)
    ORDER BY ${order} LIMIT $6
  )
  ORDER BY ${order} LIMIT $6
) w
LEFT JOIN ${schema}.delivery_attempts a
  ON a.issuer = w.issuer AND a.event_id = w.event_id AND a.endpoint_id = w.endpoint_id AND a.number = w.recorded
ORDER BY w.occurred_at DESC, w.event_id, w.endpoint_id`,
    { repeatable: true },
  )
