import { lookUp, repeatable, runsAfter } from "../sql/Sql.ts"

/**
 * Records the attempts under valid leases; returns their deliveries. A delivered or dead delivery moves to `settled_deliveries`
 * with its last attempt. Any other delivery waits again, and its attempt goes to `delivery_attempts`. Ends the leases that a
 * settlement `releases`.
 *
 * Locks the lease against a takeover. The attempt's number tells whether an earlier sending recorded it.
 */
export const settleDeliveries = repeatable(`
WITH settlement AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS s (
    issuer text, event_id text, endpoint_id text, token text, number integer,
    fate text, next_at float8, reason text,
    started_at float8, latency_ms float8, status integer, error text, answer text,
    releases boolean
  )
),
lease AS MATERIALIZED (
  SELECT l.issuer, l.endpoint_id, l.token::text AS token, s.releases
  FROM (
    SELECT issuer COLLATE "C" AS issuer, endpoint_id COLLATE "C" AS endpoint_id, token, bool_or(releases) AS releases
    FROM settlement GROUP BY 1, 2, 3 ORDER BY 1, 2
  ) s CROSS JOIN LATERAL (
    SELECT issuer, endpoint_id, token FROM @.queue_leases
    WHERE issuer = s.issuer AND endpoint_id = s.endpoint_id AND token::text = s.token
    FOR UPDATE
  ) l
),
held AS MATERIALIZED (
  SELECT
    d.issuer, d.event_id, d.endpoint_id, d.event, d.kind, d.occurred_at, d.charge_id, d.position,
    d.attempts + 1 AS attempts, d.recorded + 1 AS recorded,
    s.fate, to_timestamp(s.next_at) AS next_at, s.reason,
    to_timestamp(s.started_at) AS started_at, s.latency_ms, s.status, s.error, s.answer,
    s.fate = 'delivered' OR (s.fate = 'dead' AND d.superseded_at IS NULL) AS is_over
  FROM (
    SELECT s.* FROM settlement s
    JOIN lease h ON h.issuer = s.issuer AND h.endpoint_id = s.endpoint_id AND h.token = s.token
    ORDER BY s.issuer COLLATE "C", s.event_id COLLATE "C", s.endpoint_id COLLATE "C"
  ) s CROSS JOIN LATERAL (
    SELECT * FROM @.deliveries
    WHERE issuer = s.issuer AND event_id = s.event_id AND endpoint_id = s.endpoint_id AND recorded = s.number - 1
    FOR UPDATE
  ) d
),
released AS (
  UPDATE @.queue_leases l SET lease_until = clock_timestamp()
  FROM lease h
  WHERE h.releases AND ${lookUp({ "l.issuer": "h.issuer", "l.endpoint_id": "h.endpoint_id" })}
),
attempt AS (
  INSERT INTO @.delivery_attempts (
    issuer, event_id, endpoint_id, number, started_at, latency_ms, status, error, answer
  )
  SELECT issuer, event_id, endpoint_id, recorded, started_at, latency_ms, status, error, answer
  FROM held WHERE NOT is_over
  ON CONFLICT DO NOTHING
),
retried AS (
  UPDATE @.deliveries d SET
    attempts = h.attempts, recorded = h.recorded, next_at = coalesce(h.next_at, d.next_at)
  FROM held h
  WHERE NOT h.is_over AND ${lookUp({ "d.issuer": "h.issuer", "d.event_id": "h.event_id", "d.endpoint_id": "h.endpoint_id" })}
),
deleted AS (
  DELETE FROM @.deliveries d USING held h
  WHERE h.is_over AND ${lookUp({ "d.issuer": "h.issuer", "d.event_id": "h.event_id", "d.endpoint_id": "h.endpoint_id" })}
),
-- It is there if a test event was added again while its first delivery was being settled.
replaced AS (
  DELETE FROM @.settled_deliveries s USING held h
  WHERE h.is_over AND ${lookUp({ "s.issuer": "h.issuer", "s.occurred_at": "h.occurred_at", "s.event_id": "h.event_id", "s.endpoint_id": "h.endpoint_id" })}
  RETURNING s.event_id
),
settled AS (
  INSERT INTO @.settled_deliveries (
    issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, attempts, recorded,
    status, settled_at, reason,
    attempt_started_at, attempt_latency_ms, attempt_status, attempt_error, attempt_answer
  )
  SELECT
    issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, attempts, recorded,
    fate, to_timestamp($2), reason, started_at, latency_ms, status, error, answer
  FROM held WHERE is_over AND ${runsAfter("replaced")}
)
SELECT issuer, event_id, endpoint_id FROM held`)
