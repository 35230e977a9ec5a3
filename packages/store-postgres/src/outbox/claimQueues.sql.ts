import { lookUp, repeatable, unrepeatable } from "../sql/Sql.ts"
import { eventShown } from "./DeliveryRow.ts"
import { firstPosition } from "./position.sql.ts"

const isDue = "w.superseded_at IS NULL AND w.next_at <= to_timestamp($1)"

/**
 * Whether delivery `w` is its charge's first waiting one to its endpoint. Always true up to the first position. The planner can't
 * turn a scalar query into a join.
 */
const isNext = `
  (w.position <= ${firstPosition} OR (
    SELECT true FROM @.deliveries e
    WHERE e.issuer = w.issuer AND e.charge_id = w.charge_id AND e.endpoint_id = w.endpoint_id
      AND e.position < w.position AND e.superseded_at IS NULL
    LIMIT 1
  ) IS NULL)`

const selectDue = (queue: string, limit: string): string => `
  SELECT ${eventShown}, w.attempts, w.recorded
  FROM @.deliveries w
  WHERE w.endpoint_id = ${queue}.endpoint_id AND w.issuer = ${queue}.issuer AND ${isDue} AND ${isNext}
  ORDER BY w.next_at
  LIMIT ${limit}`

/** Reads up to `max_rows` deliveries of each leased queue of $2. A queue without due deliveries returns one row. */
export const readQueues = repeatable(`
SELECT q.issuer, q.endpoint_id, q.token, d.*
FROM json_to_recordset($2::json) AS q (issuer text, endpoint_id text, token text, max_rows integer)
CROSS JOIN LATERAL (
  SELECT 1 FROM @.queue_leases l
  WHERE l.issuer = q.issuer AND l.endpoint_id = q.endpoint_id AND l.token::text = q.token
  LIMIT 1
) l
LEFT JOIN LATERAL (${selectDue("q", "q.max_rows")}) d ON true`)

// Parameters: $1 is now, in seconds since the epoch; $2 is the maximum number of queues; $3 is the maximum number of deliveries
// of each queue; $4 is the lease, in milliseconds; $5 is a JSON array of excluded endpoints; $6 is the number of deliveries to
// read at the head.

const excludedEndpoints = `
excluded AS MATERIALIZED (
  SELECT coalesce(array_agg(endpoint_id), '{}') AS endpoints FROM json_array_elements_text($5::json) AS endpoint_id
)`

const isExcluded = (endpointId: string): string => `${endpointId} = ANY ((SELECT endpoints FROM excluded)::text[])`

const selectFree = (queues: string): string => `
  SELECT q.issuer, q.endpoint_id, l.token AS seen
  FROM ${queues}
  LEFT JOIN LATERAL (
    SELECT l.token, l.lease_until FROM @.queue_leases l
    WHERE l.issuer = q.issuer AND l.endpoint_id = q.endpoint_id
    LIMIT 1
  ) l ON true
  WHERE coalesce(l.lease_until <= clock_timestamp(), true) AND NOT ${isExcluded("q.endpoint_id")} AND (
    SELECT true FROM @.deliveries w
    WHERE w.endpoint_id = q.endpoint_id AND w.issuer = q.issuer AND ${isDue} AND ${isNext}
    LIMIT 1
  )`

/**
 * Leases the candidates and reads their due deliveries. Skips a queue whose token has changed, because another claim has leased
 * it.
 *
 * The commit doesn't wait for the disk: if a crash loses a lease, the queue is claimed again, and settlements under the lost
 * token don't count.
 */
const leaseCandidates = `
async_commit AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
expired_lease AS MATERIALIZED (
  SELECT l.* FROM async_commit, candidate c CROSS JOIN LATERAL (
    SELECT l.issuer, l.endpoint_id FROM @.queue_leases l
    WHERE l.issuer = c.issuer AND l.endpoint_id = c.endpoint_id AND l.token = c.seen
      AND l.lease_until <= clock_timestamp()
    FOR UPDATE SKIP LOCKED
  ) l
),
taken_over AS (
  UPDATE @.queue_leases l
  SET token = gen_random_uuid(), lease_until = clock_timestamp() + $4::float8 * interval '1 ms'
  FROM expired_lease u WHERE ${lookUp({ "l.issuer": "u.issuer", "l.endpoint_id": "u.endpoint_id" })}
  RETURNING l.issuer, l.endpoint_id, l.token
),
first_lease AS (
  INSERT INTO @.queue_leases (issuer, endpoint_id, token, lease_until)
  SELECT issuer, endpoint_id, gen_random_uuid(), clock_timestamp() + $4::float8 * interval '1 ms'
  FROM async_commit, candidate WHERE seen IS NULL
  -- In order, so that claims that wait for one another can't deadlock.
  ORDER BY issuer, endpoint_id
  ON CONFLICT DO NOTHING
  RETURNING issuer, endpoint_id, token
)
SELECT q.issuer, q.endpoint_id, q.token, d.*, m.next_due_at, m.looked_at
FROM (
  SELECT
    (SELECT count(*) FROM head) AS looked_at,
    (
      SELECT date_part('epoch', min(w.next_at)) FROM @.deliveries w
      WHERE w.superseded_at IS NULL AND w.next_at > to_timestamp($1)
    ) AS next_due_at
) m
LEFT JOIN (SELECT * FROM taken_over UNION ALL SELECT * FROM first_lease) q ON true
LEFT JOIN LATERAL (${selectDue("q", "$3")}) d ON true`

/** Reads only the $6 deliveries that were due first, so it can miss queues. */
export const claimFromHead = unrepeatable(`
WITH ${excludedEndpoints},
head AS MATERIALIZED (
  SELECT w.issuer, w.endpoint_id, w.next_at FROM @.deliveries w
  WHERE ${isDue}
  ORDER BY w.next_at
  LIMIT $6
),
candidate AS MATERIALIZED (
  ${selectFree("(SELECT issuer, endpoint_id, min(next_at) AS oldest_at FROM head GROUP BY 1, 2 ORDER BY 3) q")}
  LIMIT $2
),
${leaseCandidates}`)

/** The cost doesn't grow with the number of waiting deliveries. */
export const claimByQueue = unrepeatable(`
WITH RECURSIVE ${excludedEndpoints},
queue AS (
  (
    SELECT endpoint_id, issuer FROM @.deliveries
    WHERE superseded_at IS NULL
    ORDER BY endpoint_id, issuer LIMIT 1
  )
  UNION ALL
  SELECT n.endpoint_id, n.issuer FROM queue q CROSS JOIN LATERAL (
    SELECT w.endpoint_id, w.issuer FROM @.deliveries w
    -- A tilde sorts after every issuer.
    WHERE (w.endpoint_id, w.issuer) > (q.endpoint_id, CASE WHEN ${isExcluded("q.endpoint_id")} THEN '~' ELSE q.issuer END)
      AND w.superseded_at IS NULL
    ORDER BY w.endpoint_id, w.issuer LIMIT 1
  ) n
),
head AS (SELECT $6::integer WHERE false),
candidate AS MATERIALIZED (
  ${selectFree("queue q")}
  LIMIT $2
),
${leaseCandidates}`)

/** Locks the valid leases of $1, in the same order as every other statement. The commit doesn't wait for the disk. */
const lockHeld = `
WITH async_commit AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
held AS MATERIALIZED (
  SELECT l.issuer, l.endpoint_id
  FROM (
    SELECT s.* FROM async_commit, json_to_recordset($1::json) AS s (issuer text, endpoint_id text, token text)
    ORDER BY s.issuer COLLATE "C", s.endpoint_id COLLATE "C"
  ) s CROSS JOIN LATERAL (
    SELECT issuer, endpoint_id FROM @.queue_leases
    WHERE issuer = s.issuer AND endpoint_id = s.endpoint_id AND token::text = s.token
    FOR UPDATE
  ) l
)`

/** Makes leases end $2 milliseconds from now; returns the tokens of the valid leases. */
export const renewLeases = repeatable(`${lockHeld}
UPDATE @.queue_leases l SET lease_until = clock_timestamp() + $2::float8 * interval '1 ms'
FROM held h
WHERE ${lookUp({ "l.issuer": "h.issuer", "l.endpoint_id": "h.endpoint_id" })}
RETURNING l.token`)
