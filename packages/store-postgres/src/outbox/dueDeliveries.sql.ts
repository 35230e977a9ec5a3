import { repeatable } from "../database/Sql.ts"

/** Whether delivery `w` waits and is due; $1 is now, in seconds. */
export const isDue = "w.superseded_at IS NULL AND w.next_at <= to_timestamp($1)"

/**
 * Whether no delivery of its charge waits before delivery `w`; none ever waits before its first move, which is version 2. A
 * scalar query, so that the planner looks it up in the index and makes no join of it.
 */
export const isNext = `
  (w.position <= 2 OR (
    SELECT true FROM @.deliveries e
    WHERE e.issuer = w.issuer AND e.charge_id = w.charge_id AND e.endpoint_id = w.endpoint_id
      AND e.position < w.position AND e.superseded_at IS NULL
    LIMIT 1
  ) IS NULL)`

/** Selects what comes next in a queue, oldest first. */
export const selectDue = (queue: string, limit: string): string => `
  SELECT w.event::text AS event, w.attempts, date_part('epoch', w.next_at) AS next_at
  FROM @.deliveries w
  WHERE w.endpoint_id = ${queue}.endpoint_id AND w.issuer = ${queue}.issuer AND ${isDue} AND ${isNext}
  ORDER BY w.next_at
  LIMIT ${limit}`

/** What comes next in each leased queue of $2, up to its `max_rows`; a queue in which nothing is due returns one row. */
export const readQueues = repeatable(`
SELECT q.issuer, q.endpoint_id, q.token, d.event, d.attempts, d.next_at
FROM json_to_recordset($2::json) AS q (issuer text, endpoint_id text, token text, max_rows integer)
CROSS JOIN LATERAL (
  SELECT 1 FROM @.queue_leases l
  WHERE l.issuer = q.issuer AND l.endpoint_id = q.endpoint_id AND l.token::text = q.token
  LIMIT 1
) l
LEFT JOIN LATERAL (${selectDue("q", "q.max_rows")}) d ON true`)
