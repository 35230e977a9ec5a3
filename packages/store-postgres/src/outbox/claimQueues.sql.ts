import { lookUp } from "../database/lookUp.ts"
import { unrepeatable } from "../database/Sql.ts"
import { dueDeliveries, isDue, isNext } from "./dueDeliveries.sql.ts"

// $1 now, in seconds; $2 how many queues; $3 deliveries of each; $4 lease in milliseconds; $5 and $6 bucket: of how many,
// which; $7 endpoints of which none is wanted, as a JSON array; $8 how many deliveries at the head to look at.

const excepted = `
excepted AS MATERIALIZED (
  SELECT coalesce(array_agg(endpoint_id), '{}') AS endpoints FROM json_array_elements_text($7::json) AS endpoint_id
)`

const isExcepted = (endpointId: string): string => `${endpointId} = ANY ((SELECT endpoints FROM excepted)::text[])`

const isInBucket = (issuer: string): string =>
  `($5::integer IS NULL OR mod(hashtextextended(${issuer}, 0) & 9223372036854775807, $5::integer) = $6::integer)`

/** Of queues `q`, those that nobody leases and that hold something whose turn has come; `seen` is the last lease's token. */
const free = (queues: string): string => `
  SELECT q.issuer, q.endpoint_id, l.token AS seen
  FROM ${queues}
  LEFT JOIN LATERAL (
    SELECT l.token, l.lease_until FROM @.queue_leases l
    WHERE l.issuer = q.issuer AND l.endpoint_id = q.endpoint_id
    LIMIT 1
  ) l ON true
  WHERE coalesce(l.lease_until <= clock_timestamp(), true) AND NOT ${isExcepted("q.endpoint_id")} AND (
    SELECT true FROM @.deliveries w
    WHERE w.endpoint_id = q.endpoint_id AND w.issuer = q.issuer AND ${isDue} AND ${isNext}
    LIMIT 1
  )`

/**
 * Leases candidates, passing over those that another claim is leasing or has leased since they were read: then their token
 * is another, and what was read of their deliveries is no longer true.
 *
 * That a lease is on disk is not waited for: one that a crash forgets is claimed once more, and what is settled under its
 * token doesn't count. A settlement that counts is written after its lease, to the same log.
 */
const lease = `
hurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
unleased AS MATERIALIZED (
  SELECT l.* FROM hurried, candidate c CROSS JOIN LATERAL (
    SELECT l.issuer, l.endpoint_id FROM @.queue_leases l
    WHERE l.issuer = c.issuer AND l.endpoint_id = c.endpoint_id AND l.token = c.seen
      AND l.lease_until <= clock_timestamp()
    FOR UPDATE SKIP LOCKED
  ) l
),
renewed AS (
  UPDATE @.queue_leases l
  SET token = gen_random_uuid(), lease_until = clock_timestamp() + $4::float8 * interval '1 ms'
  FROM unleased u WHERE ${lookUp({ "l.issuer": "u.issuer", "l.endpoint_id": "u.endpoint_id" })}
  RETURNING l.issuer, l.endpoint_id, l.token
),
first AS (
  INSERT INTO @.queue_leases (issuer, endpoint_id, token, lease_until)
  SELECT issuer, endpoint_id, gen_random_uuid(), clock_timestamp() + $4::float8 * interval '1 ms'
  FROM hurried, candidate WHERE seen IS NULL
  -- In order, so that claims that wait for one another can't deadlock.
  ORDER BY issuer, endpoint_id
  ON CONFLICT DO NOTHING
  RETURNING issuer, endpoint_id, token
)
SELECT q.issuer, q.endpoint_id, q.token, d.event, d.attempts, d.next_at, m.next_due_at, m.looked_at
FROM (
  SELECT
    (SELECT count(*) FROM head) AS looked_at,
    (
      SELECT date_part('epoch', min(w.next_at)) FROM @.deliveries w
      WHERE w.superseded_at IS NULL AND w.next_at > to_timestamp($1) AND ${isInBucket("w.issuer")}
    ) AS next_due_at
) m
LEFT JOIN (SELECT * FROM renewed UNION ALL SELECT * FROM first) q ON true
LEFT JOIN LATERAL (${dueDeliveries("q", "$3")}) d ON true`

/**
 * Leases queues, those first that wait longest. No more than $8 deliveries at the head of all are looked at: what waits
 * there in queues that are leased or not wanted may be long.
 */
export const claimFromHead = unrepeatable(`
WITH ${excepted},
head AS MATERIALIZED (
  SELECT w.issuer, w.endpoint_id, w.next_at FROM @.deliveries w
  WHERE ${isDue} AND ${isInBucket("w.issuer")}
  ORDER BY w.next_at
  LIMIT $8
),
candidate AS MATERIALIZED (
  ${free("(SELECT issuer, endpoint_id, min(next_at) AS oldest_at FROM head GROUP BY 1, 2 ORDER BY 3) q")}
  LIMIT $2
),
${lease}`)

/**
 * Leases queues that it finds by leaping from one to the next in the index, over those of endpoints that are not wanted all
 * at once: however much waits in any of them, it costs nothing.
 */
export const claimByQueue = unrepeatable(`
WITH RECURSIVE ${excepted},
queue AS (
  (
    SELECT endpoint_id, issuer FROM @.deliveries
    WHERE superseded_at IS NULL
    ORDER BY endpoint_id, issuer LIMIT 1
  )
  UNION ALL
  SELECT n.endpoint_id, n.issuer FROM queue q CROSS JOIN LATERAL (
    SELECT w.endpoint_id, w.issuer FROM @.deliveries w
    -- No issuer stands behind the tilde.
    WHERE (w.endpoint_id, w.issuer) > (q.endpoint_id, CASE WHEN ${isExcepted("q.endpoint_id")} THEN '~' ELSE q.issuer END)
      AND w.superseded_at IS NULL
    ORDER BY w.endpoint_id, w.issuer LIMIT 1
  ) n
),
head AS (SELECT $8::integer WHERE false),
candidate AS MATERIALIZED (
  ${free("queue q")} AND ${isInBucket("q.issuer")}
  LIMIT $2
),
${lease}`)
