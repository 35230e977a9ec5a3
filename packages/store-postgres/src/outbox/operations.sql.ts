import type { ReplaySelection } from "@pixcharge/core"
import type { Author } from "../sql/Author.ts"
import { lookUp, makeValues, repeatable, runsAfter, type SqlWithValues, unrepeatable } from "../sql/Sql.ts"
import { toSeconds } from "../sql/values.ts"
import { attemptColumns, deliveryColumns as newColumns, isUnsettled } from "./DeliveryRow.ts"
import { selectionConditions } from "./listDeliveries.sql.ts"

const deliveryColumns = "issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, recorded"

/**
 * Adds a delivery without a move of a charge, unless the event has or had a delivery to the endpoint. Also records $3 in the
 * audit log, if given.
 */
export const addDelivery = repeatable(`
WITH added AS (
  INSERT INTO @.deliveries (issuer, charge_id, ${newColumns.names}, position, queued_at, next_at)
  SELECT n.issuer, n.charge_id, ${newColumns.given("n")}, 0, to_timestamp($2), to_timestamp($2)
  FROM json_to_record($1::json) AS n (issuer text, charge_id uuid, ${newColumns.recordset})
  WHERE ${isUnsettled()}
  ON CONFLICT DO NOTHING
  RETURNING issuer
)
INSERT INTO @.audit_entries (issuer, actor, kind, details)
SELECT a.issuer, n.actor, n.audit_kind, n.audit_details
FROM added a, json_to_record($3::json) AS n (actor text, audit_kind text, audit_details json)
WHERE n.audit_kind IS NOT NULL`)

export const supersedeDeliveries = unrepeatable(`
WITH unsent AS MATERIALIZED (
  SELECT issuer, event_id, endpoint_id FROM @.deliveries
  WHERE issuer = $1 AND charge_id = $2::uuid AND kind = 'paid' AND superseded_at IS NULL
  ORDER BY event_id, endpoint_id
  FOR UPDATE
)
UPDATE @.deliveries d SET superseded_at = to_timestamp($3)
FROM unsent u
WHERE ${lookUp({ "d.issuer": "u.issuer", "d.event_id": "u.event_id", "d.endpoint_id": "u.endpoint_id" })}
RETURNING d.event_id`)

interface Replay {
  readonly now: number
  readonly author: Author
  readonly name?: string | undefined
}

/**
 * Makes delivered and dead deliveries wait from `now` on, with their attempts reset; returns a row for each delivery.
 *
 * Replays a `paid` only if its charge is paid. Writes that charge's row again, unchanged, to order the replay and a concurrent
 * refund: this statement sees a committed refund, and a waiting refund finds the row changed (`commitCharges`).
 */
export const replayDeliveries = (
  issuer: string,
  selection: ReplaySelection,
  { now, author, name }: Replay,
): SqlWithValues => {
  const collected = makeValues()
  const selected = selectionConditions(issuer, selection, collected)
  const { status } = selection
  const conditions = status === undefined ? selected : `${selected} AND w.status = ${collected.value(status, "text")}`
  const at = `to_timestamp(${collected.value(toSeconds(now), "float8")})`
  const statement = unrepeatable(`
WITH paid_charge AS MATERIALIZED (
  SELECT k.issuer, k.id FROM @.charges k
  WHERE k.state = 'paid' AND (k.issuer, k.id) IN (
    SELECT w.issuer, w.charge_id FROM @.settled_deliveries w WHERE ${conditions} AND w.kind = 'paid'
  )
  ORDER BY k.id
  FOR UPDATE
),
rewritten_charge AS (
  UPDATE @.charges k SET version = k.version
  FROM paid_charge p WHERE ${lookUp({ "k.issuer": "p.issuer", "k.id": "p.id" })}
  RETURNING k.issuer, k.id
),
chosen AS MATERIALIZED (
  SELECT ${deliveryColumns}, ${attemptColumns.names} FROM @.settled_deliveries w
  WHERE ${conditions}
    AND ${runsAfter("rewritten_charge")}
    AND (w.kind <> 'paid' OR (w.issuer, w.charge_id) IN (SELECT issuer, id FROM rewritten_charge))
  ORDER BY event_id, endpoint_id
  FOR UPDATE
),
deleted AS (
  DELETE FROM @.settled_deliveries s USING chosen c
  WHERE ${lookUp({ "s.issuer": "c.issuer", "s.occurred_at": "c.occurred_at", "s.event_id": "c.event_id", "s.endpoint_id": "c.endpoint_id" })}
),
attempt AS (
  INSERT INTO @.delivery_attempts (
    issuer, event_id, endpoint_id, number, started_at, latency_ms, status, error, answer
  )
  -- An attempt without a finite latency was stored without one.
  SELECT
    issuer, event_id, endpoint_id, recorded, attempt_started_at, coalesce(attempt_latency_ms, 0),
    attempt_status, attempt_error, attempt_answer
  FROM chosen WHERE attempt_started_at IS NOT NULL
  ON CONFLICT DO NOTHING
),
replayed AS (
  INSERT INTO @.deliveries (${deliveryColumns}, queued_at, next_at)
  SELECT ${deliveryColumns}, ${at}, ${at} FROM chosen
  ON CONFLICT DO NOTHING
  RETURNING event_id
),
recorded AS (
  INSERT INTO @.audit_entries (issuer, actor, kind, details)
  SELECT ${collected.value(issuer, "text")}, ${collected.value(author.actor ?? null, "text")}, 'eventsReplayed',
    json_strip_nulls(json_build_object(
      'deliveries', count(*), 'name', ${collected.value(name ?? null, "text")}, 'at', ${collected.value(author.at ?? null, "bigint")}
    ))
  FROM replayed
  HAVING count(*) > 0
)
SELECT event_id FROM replayed`)
  return { statement, values: collected.values }
}

/**
 * Measures the first $3 deliveries of company $1 that wait for endpoint $2. The range makes even a generic plan use the index by
 * queue.
 */
export const measureQueue = repeatable(`
SELECT count(*) AS waiting, count(*) FILTER (WHERE d.attempts > 0) AS retrying,
  date_part('epoch', min(d.queued_at)) AS oldest_at
FROM (
  SELECT attempts, queued_at FROM @.deliveries
  WHERE (endpoint_id, issuer) >= ($2::text, $1::text) AND (endpoint_id, issuer) <= ($2::text, $1::text)
    AND superseded_at IS NULL
  ORDER BY endpoint_id, issuer, next_at
  LIMIT $3
) d`)

/** The limit documented at `QueueDepth`. */
export const maxCounted = 10_000

export const measureWaiting = (limit: number): string => `
SELECT count(*) AS waiting, date_part('epoch', min(d.queued_at)) AS oldest_at, min(d.next_at) AS first_at
FROM (SELECT queued_at, next_at FROM @.deliveries WHERE superseded_at IS NULL ORDER BY next_at LIMIT ${limit}) d`

export const measureDepth = repeatable(measureWaiting(maxCounted))

/**
 * Deletes at most $2 delivered and at most $2 superseded deliveries from before $1, with their attempts; returns their number. A
 * delivered one's event is from before $1, too. Keeps a superseded delivery while its charge is paid or refunding, because a
 * rejected refund makes it wait again.
 */
export const purgeDeliveries = unrepeatable(`
WITH RECURSIVE company AS (
  (SELECT issuer FROM @.settled_deliveries ORDER BY issuer LIMIT 1)
  UNION ALL
  SELECT n.issuer FROM company c CROSS JOIN LATERAL (
    SELECT issuer FROM @.settled_deliveries WHERE issuer > c.issuer ORDER BY issuer LIMIT 1
  ) n
),
delivered AS (
  SELECT d.* FROM company c CROSS JOIN LATERAL (
    SELECT issuer, occurred_at, event_id, endpoint_id FROM @.settled_deliveries
    WHERE issuer = c.issuer AND occurred_at < to_timestamp($1) AND status = 'delivered' AND settled_at < to_timestamp($1)
    LIMIT $2
    FOR UPDATE SKIP LOCKED
  ) d
  LIMIT $2
),
superseded AS (
  SELECT d.issuer, d.event_id, d.endpoint_id FROM (
    SELECT d.issuer, d.event_id, d.endpoint_id FROM @.deliveries d
    WHERE d.superseded_at < to_timestamp($1)
      -- It may be under way to its endpoint.
      AND NOT EXISTS (
        SELECT 1 FROM @.queue_leases l
        WHERE l.issuer = d.issuer AND l.endpoint_id = d.endpoint_id AND l.lease_until > now()
      )
      AND NOT EXISTS (
        SELECT 1 FROM @.charges k
        WHERE k.issuer = d.issuer AND k.id = d.charge_id AND k.state IN ('paid', 'refunding')
      )
    LIMIT $2
  ) o CROSS JOIN LATERAL (
    SELECT issuer, event_id, endpoint_id FROM @.deliveries
    WHERE issuer = o.issuer AND event_id = o.event_id AND endpoint_id = o.endpoint_id
      AND superseded_at < to_timestamp($1)
    FOR UPDATE SKIP LOCKED
  ) d
),
deleted_settled AS (
  DELETE FROM @.settled_deliveries s USING delivered d
  WHERE ${lookUp({ "s.issuer": "d.issuer", "s.occurred_at": "d.occurred_at", "s.event_id": "d.event_id", "s.endpoint_id": "d.endpoint_id" })}
  RETURNING s.issuer, s.event_id, s.endpoint_id
),
deleted_superseded AS (
  DELETE FROM @.deliveries s USING superseded d
  WHERE ${lookUp({ "s.issuer": "d.issuer", "s.event_id": "d.event_id", "s.endpoint_id": "d.endpoint_id" })}
  RETURNING s.issuer, s.event_id, s.endpoint_id
),
purged AS MATERIALIZED (SELECT * FROM deleted_settled UNION ALL SELECT * FROM deleted_superseded),
attempts AS (
  DELETE FROM @.delivery_attempts a USING purged p
  WHERE ${lookUp({ "a.issuer": "p.issuer", "a.event_id": "p.event_id", "a.endpoint_id": "p.endpoint_id" })}
)
SELECT count(*) AS purged FROM purged`)

export const listAttempts = repeatable(`
SELECT ${attemptColumns.shown("a")} FROM (
  SELECT recorded AS number, ${attemptColumns.names}
  FROM @.settled_deliveries
  WHERE issuer = $1 AND event_id = $2 AND endpoint_id = $3 AND attempt_started_at IS NOT NULL
  UNION ALL
  SELECT number, started_at, latency_ms, status, error, answer
  FROM @.delivery_attempts
  WHERE issuer = $1 AND event_id = $2 AND endpoint_id = $3
) a
ORDER BY number`)
