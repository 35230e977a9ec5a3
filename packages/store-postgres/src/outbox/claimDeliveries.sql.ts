import { type Sql, sql } from "../database/Database.ts"
import type { SchemaName } from "../SchemaName.ts"

// $1 now, in seconds; $2 limit; $3 lease in milliseconds; $4 and $5 bucket: of how many, which; $6 endpoints to leave
// alone, as a JSON array; $7 how many rows of the queue's head to look at.

const leftAlone = `
left_alone AS MATERIALIZED (
  SELECT coalesce(array_agg(endpoint_id), '{}') AS endpoints FROM json_array_elements_text($6::json) AS endpoint_id
)`

const isLeftAlone = (endpointId: string): string => `${endpointId} = ANY ((SELECT endpoints FROM left_alone)::text[])`

/** A row of `w` whose time has come, of the asked bucket of companies. */
const isWaiting = `
  w.superseded_at IS NULL AND w.next_at <= to_timestamp($1)
  AND ($4::integer IS NULL OR mod(hashtextextended(w.issuer, 0) & 9223372036854775807, $4::integer) = $5::integer)`

/**
 * A row of `w` before which nothing of its charge stands; before its payment nothing ever does. A scalar query, for it
 * must stay a look into the index.
 */
const isNext = (schema: SchemaName): string => `
  (w.kind = 'paid' OR (
    SELECT true FROM ${schema}.deliveries e
    WHERE e.issuer = w.issuer AND e.charge_id = w.charge_id AND e.endpoint_id = w.endpoint_id
      AND e.position < w.position AND (e.superseded_at IS NULL OR e.lease_until > now())
    LIMIT 1
  ) IS NULL)`

/** Deliveries whose holder has not come back in time. */
const lapsed = (schema: SchemaName): string => `
  SELECT w.issuer, w.tableoid AS part, w.ctid AS place, w.next_at FROM ${schema}.deliveries w
  WHERE w.lease_token IS NOT NULL AND w.lease_until <= now() AND ${isWaiting}
    AND NOT ${isLeftAlone("w.endpoint_id")} AND ${isNext(schema)}
  ORDER BY w.next_at
  LIMIT $2`

/**
 * Locks candidates one after the other until there are enough, passing over what another claim has locked, and leases
 * them. Candidates are read only as far as they are needed.
 *
 * A row is found again by its place in its part of the table; one that was changed since it was read is looked at anew,
 * and passed over. That the lease is on disk is not waited for: one that a crash forgets is claimed once more, and what
 * is settled under its token doesn't count. A settlement that counts is written after its lease, to the same log.
 */
const lease = (schema: SchemaName): string => `
unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
taken AS MATERIALIZED (
  SELECT d.* FROM unhurried, candidate c CROSS JOIN LATERAL (
    SELECT d.issuer, d.tableoid AS part, d.ctid AS place FROM ${schema}.deliveries d
    WHERE d.issuer = c.issuer AND d.tableoid = c.part AND d.ctid = c.place
      AND d.superseded_at IS NULL AND (d.lease_token IS NULL OR d.lease_until <= now()) AND d.next_at <= to_timestamp($1)
    FOR UPDATE SKIP LOCKED
  ) d
  LIMIT $2
)
UPDATE ${schema}.deliveries d
SET lease_token = gen_random_uuid(), lease_until = clock_timestamp() + $3::float8 * interval '1 ms'
FROM taken t
WHERE d.issuer = t.issuer AND d.tableoid = t.part AND d.ctid = t.place
RETURNING d.endpoint_id, d.event::text AS event, d.attempts, d.lease_token, date_part('epoch', d.next_at) AS next_at`

/**
 * Leases what is due, oldest first. Of the queue's head no more than $7 rows are looked at: what waits there for
 * endpoints that are left alone may be long.
 */
export const claimFromHead = (schema: SchemaName): Sql =>
  sql(
    `
WITH ${leftAlone},
candidate AS MATERIALIZED (
  (${lapsed(schema)})
  UNION ALL
  (
    SELECT w.issuer, w.part, w.place, w.next_at FROM (
      SELECT w.issuer, w.tableoid AS part, w.ctid AS place, w.endpoint_id, w.next_at FROM ${schema}.deliveries w
      WHERE w.lease_token IS NULL AND ${isWaiting} AND (${isLeftAlone("w.endpoint_id")} OR ${isNext(schema)})
      ORDER BY w.next_at
      LIMIT $7
    ) w
    WHERE NOT ${isLeftAlone("w.endpoint_id")}
  )
),
${lease(schema)}`,
    { repeatable: false },
  )

/**
 * Leases what is due, oldest first, endpoint by endpoint: however much waits for those that are left alone, it costs
 * nothing. The endpoints are found by leaping from one to the next in the index.
 */
export const claimByEndpoint = (schema: SchemaName): Sql =>
  sql(
    `
WITH RECURSIVE ${leftAlone},
endpoint AS (
  (
    SELECT endpoint_id FROM ${schema}.deliveries
    WHERE lease_token IS NULL AND superseded_at IS NULL
    ORDER BY endpoint_id LIMIT 1
  )
  UNION ALL
  SELECT (
    SELECT d.endpoint_id FROM ${schema}.deliveries d
    WHERE d.endpoint_id > e.endpoint_id AND d.lease_token IS NULL AND d.superseded_at IS NULL
    ORDER BY d.endpoint_id LIMIT 1
  )
  FROM endpoint e WHERE e.endpoint_id IS NOT NULL
),
candidate AS MATERIALIZED (
  SELECT c.* FROM endpoint o CROSS JOIN LATERAL (
    SELECT w.issuer, w.tableoid AS part, w.ctid AS place, w.next_at FROM ${schema}.deliveries w
    WHERE w.endpoint_id = o.endpoint_id AND w.lease_token IS NULL AND ${isWaiting} AND ${isNext(schema)}
    ORDER BY w.next_at
    LIMIT $7
  ) c
  WHERE NOT ${isLeftAlone("o.endpoint_id")}
  ORDER BY c.next_at
),
${lease(schema)}`,
    { repeatable: false },
  )
