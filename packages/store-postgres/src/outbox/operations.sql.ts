import type { ReplaySelection } from "@pixcharge/core"
import { lookUp } from "../database/lookUp.ts"
import { repeatable, unrepeatable } from "../database/Sql.ts"
import { toSeconds } from "../database/values.ts"
import { makeValues, selectionConditions, type SqlWithValues } from "./selection.sql.ts"

const whole = "issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, recorded"
const lastAttempt = "attempt_started_at, attempt_latency_ms, attempt_status, attempt_error, attempt_answer"

/**
 * Adds a delivery outside of any charge's move, and records $3 in the audit log with it, if that is given; nothing happens
 * if its event was ever meant for its endpoint.
 */
export const addDelivery = repeatable(`
WITH added AS (
  INSERT INTO @.deliveries (
    issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, queued_at, next_at
  )
  SELECT
    n.issuer, n.event_id, n.endpoint_id, n.event, n.kind, to_timestamp(n.occurred_at), n.charge_id, 0,
    to_timestamp($2), to_timestamp($2)
  FROM json_to_record($1::json) AS n (
    issuer text, event_id text, endpoint_id text, event json, kind text, occurred_at float8, charge_id uuid
  )
  WHERE NOT EXISTS (
    SELECT 1 FROM @.settled_deliveries s
    WHERE s.issuer = n.issuer AND s.event_id = n.event_id AND s.endpoint_id = n.endpoint_id
  )
  ON CONFLICT DO NOTHING
  RETURNING issuer
)
INSERT INTO @.audit_entries (issuer, actor, kind, details)
SELECT a.issuer, n.actor, n.audit_kind, n.audit_details
FROM added a, json_to_record($3::json) AS n (actor text, audit_kind text, audit_details json)
WHERE n.audit_kind IS NOT NULL`)

/** Takes a charge's waiting `paid` deliveries out of the queue; returns a row for each. */
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

/**
 * Makes delivered and dead deliveries wait from `now` on, their attempts counted again; returns a row for each.
 *
 * A `paid` only of a charge that is paid, which is touched so that a refund at the same moment comes before or after:
 * one that was committed is seen here, and one that waits for this finds the charge changed (`commitCharges`).
 */
export const replayDeliveries = (
  issuer: string,
  selection: ReplaySelection,
  now: number,
  actor: string | null,
  name?: string,
): SqlWithValues => {
  const collected = makeValues()
  const selected = selectionConditions(issuer, selection, collected)
  const { status } = selection
  const conditions = status === undefined ? selected : `${selected} AND w.status = ${collected.value(status, "text")}`
  const at = `to_timestamp(${collected.value(toSeconds(now), "float8")})`
  const statement = unrepeatable(`
WITH paid AS MATERIALIZED (
  SELECT k.issuer, k.id FROM @.charges k
  WHERE k.state = 'paid' AND (k.issuer, k.id) IN (
    SELECT w.issuer, w.charge_id FROM @.settled_deliveries w WHERE ${conditions} AND w.kind = 'paid'
  )
  ORDER BY k.id
  FOR UPDATE
),
touched AS (
  UPDATE @.charges k SET version = k.version
  FROM paid p WHERE ${lookUp({ "k.issuer": "p.issuer", "k.id": "p.id" })}
  RETURNING k.issuer, k.id
),
chosen AS MATERIALIZED (
  SELECT ${whole}, ${lastAttempt} FROM @.settled_deliveries w
  WHERE ${conditions}
    -- Always true: the count makes sure that every charge is locked before the first delivery is.
    AND (SELECT count(*) FROM touched) >= 0
    AND (w.kind <> 'paid' OR (w.issuer, w.charge_id) IN (SELECT issuer, id FROM touched))
  ORDER BY event_id, endpoint_id
  FOR UPDATE
),
gone AS (
  DELETE FROM @.settled_deliveries s USING chosen c
  WHERE ${lookUp({ "s.issuer": "c.issuer", "s.event_id": "c.event_id", "s.endpoint_id": "c.endpoint_id" })}
),
attempt AS (
  INSERT INTO @.delivery_attempts (
    issuer, event_id, endpoint_id, number, started_at, latency_ms, status, error, answer
  )
  -- An attempt that was no number of milliseconds long was stored without.
  SELECT
    issuer, event_id, endpoint_id, recorded, attempt_started_at, coalesce(attempt_latency_ms, 0),
    attempt_status, attempt_error, attempt_answer
  FROM chosen WHERE attempt_started_at IS NOT NULL
  ON CONFLICT DO NOTHING
),
replayed AS (
  INSERT INTO @.deliveries (${whole}, queued_at, next_at)
  SELECT ${whole}, ${at}, ${at} FROM chosen
  ON CONFLICT DO NOTHING
  RETURNING event_id
),
recorded AS (
  INSERT INTO @.audit_entries (issuer, actor, kind, details)
  SELECT ${collected.value(issuer, "text")}, ${collected.value(actor, "text")}, 'eventsReplayed',
    json_strip_nulls(json_build_object('deliveries', count(*), 'name', ${collected.value(name ?? null, "text")}))
  FROM replayed
  HAVING count(*) > 0
)
SELECT event_id FROM replayed`)
  return { statement, values: collected.values }
}

/**
 * What waits of company $1 for endpoint $2: of the $3 that are due first. As a range, the queue is read by its own index alone,
 * also where the planner knows neither value: in the index of all that is due it may be anywhere.
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

/** How much waits, in flight or not, and since when: of the $1 that are due first. */
export const measureDepth = repeatable(`
SELECT count(*) AS waiting, date_part('epoch', min(d.queued_at)) AS oldest_at
FROM (SELECT queued_at FROM @.deliveries WHERE superseded_at IS NULL ORDER BY next_at LIMIT $1) d`)

/**
 * Deletes what was delivered or superseded before $1, at most $2 of each, with its attempts; returns how many. What
 * is superseded stays while its charge may still be found to be paid: a refund that is rejected makes it wait again.
 */
export const purgeDeliveries = unrepeatable(`
WITH delivered AS (
  SELECT issuer, event_id, endpoint_id FROM @.settled_deliveries
  WHERE status = 'delivered' AND settled_at < to_timestamp($1)
  LIMIT $2
  FOR UPDATE SKIP LOCKED
),
superseded AS (
  SELECT d.issuer, d.event_id, d.endpoint_id FROM (
    SELECT d.issuer, d.event_id, d.endpoint_id FROM @.deliveries d
    WHERE d.superseded_at < to_timestamp($1)
      -- It may be under way.
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
gone AS (
  DELETE FROM @.settled_deliveries s USING delivered d
  WHERE ${lookUp({ "s.issuer": "d.issuer", "s.event_id": "d.event_id", "s.endpoint_id": "d.endpoint_id" })}
  RETURNING s.issuer, s.event_id, s.endpoint_id
),
gone_unsent AS (
  DELETE FROM @.deliveries s USING superseded d
  WHERE ${lookUp({ "s.issuer": "d.issuer", "s.event_id": "d.event_id", "s.endpoint_id": "d.endpoint_id" })}
  RETURNING s.issuer, s.event_id, s.endpoint_id
),
purged AS MATERIALIZED (SELECT * FROM gone UNION ALL SELECT * FROM gone_unsent),
attempts AS (
  DELETE FROM @.delivery_attempts a USING purged p
  WHERE ${lookUp({ "a.issuer": "p.issuer", "a.event_id": "p.event_id", "a.endpoint_id": "p.endpoint_id" })}
)
SELECT count(*) AS purged FROM purged`)

/** Every attempt of one delivery, oldest first. */
export const listAttempts = repeatable(`
SELECT date_part('epoch', started_at) AS started_at, latency_ms, status, error, answer FROM (
  SELECT number, started_at, latency_ms, status, error, answer
  FROM @.delivery_attempts
  WHERE issuer = $1 AND event_id = $2 AND endpoint_id = $3
  UNION ALL
  SELECT recorded, ${lastAttempt}
  FROM @.settled_deliveries
  WHERE issuer = $1 AND event_id = $2 AND endpoint_id = $3 AND attempt_started_at IS NOT NULL
) a
ORDER BY number`)
