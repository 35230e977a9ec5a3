import { repeatable } from "../database/Sql.ts"

/** Delivery `w` waits and its time has come; $1 is now, in seconds. */
export const isDue = "w.superseded_at IS NULL AND w.next_at <= to_timestamp($1)"

/**
 * A delivery `w` before which none of its charge waits; before its payment none ever does. A scalar query, for it must stay
 * a look into the index.
 */
export const isNext = `
  (w.kind = 'paid' OR (
    SELECT true FROM @.deliveries e
    WHERE e.issuer = w.issuer AND e.charge_id = w.charge_id AND e.endpoint_id = w.endpoint_id
      AND e.position < w.position AND e.superseded_at IS NULL
    LIMIT 1
  ) IS NULL)`

/** What comes next in a queue, oldest first. */
export const dueDeliveries = (queue: string, limit: string): string => `
  SELECT w.event::text AS event, w.attempts, date_part('epoch', w.next_at) AS next_at
  FROM @.deliveries w
  WHERE w.endpoint_id = ${queue}.endpoint_id AND w.issuer = ${queue}.issuer AND ${isDue} AND ${isNext}
  ORDER BY w.next_at
  LIMIT ${limit}`

/** What comes next in each leased queue of $2, as many as it says; a queue that has nothing returns one row. */
export const readQueues = repeatable(`
SELECT q.issuer, q.endpoint_id, q.token, d.event, d.attempts, d.next_at
FROM json_to_recordset($2::json) AS q (issuer text, endpoint_id text, token text, most integer)
CROSS JOIN LATERAL (
  SELECT 1 FROM @.queue_leases l
  WHERE l.issuer = q.issuer AND l.endpoint_id = q.endpoint_id AND l.token::text = q.token
  LIMIT 1
) l
LEFT JOIN LATERAL (${dueDeliveries("q", "q.most")}) d ON true`)
