import { repeatable } from "../database/Sql.ts"

/** Seconds since the epoch, or of an interval. */
const seconds = (value: string): string => `date_part('epoch', ${value})`

const bucket = (value: string, bounds: "bounds" | "ages"): string =>
  `width_bucket(${seconds(value)}, (SELECT ${bounds} FROM scale))`

/** The slot in which a moment lies, from 0. */
const slot = (moment: string): string => `${bucket(moment, "bounds")} - 1`

const within = (moment: string): string => `${moment} >= to_timestamp($2) AND ${moment} < to_timestamp($3)`

/**
 * Counts of company $1 from $2 until $3 (in seconds since the epoch), by the slots that begin at the moments of $4, also in
 * seconds; $5 are ages in seconds, $6 is now. $4 and $5 are ascending JSON arrays.
 *
 * Each part reads what lies in the period by an index that begins with the company and the moment; what still waits to be sent
 * has none by moment, and is read whole. A charge's payment is taken by its key: the LIMIT keeps the planner from
 * making a join of it, which would read all payments that the company ever had.
 */
export const countCharges = repeatable(`
WITH scale AS MATERIALIZED (
  SELECT
    (SELECT array_agg(b::float8 ORDER BY b::float8) FROM json_array_elements_text($4::json) b) AS bounds,
    (SELECT array_agg(a::float8 ORDER BY a::float8) FROM json_array_elements_text($5::json) a) AS ages
),
issued AS MATERIALIZED (
  SELECT
    ${slot("c.created_at")} AS slot,
    CASE
      WHEN c.settled_by IS NOT NULL THEN 'paid'
      WHEN c.state = 'cancelled' THEN 'cancelled'
      WHEN c.payable_until < to_timestamp($6) THEN 'expired'
    END AS fate,
    ${bucket("p.paid_at - c.created_at", "ages")} AS age,
    count(*) AS count
  FROM @.charges c
  LEFT JOIN LATERAL (
    SELECT q.paid_at FROM @.payments q
    WHERE c.settled_by IS NOT NULL AND q.issuer = c.issuer AND q.end_to_end_id = c.settled_by
    LIMIT 1
  ) p ON true
  WHERE c.issuer = $1 AND ${within("c.created_at")}
  GROUP BY 1, 2, 3
)
SELECT 'issued' AS counted, slot, sum(count) AS count, 0 AS sum FROM issued GROUP BY slot
UNION ALL
SELECT fate, slot, sum(count), 0 FROM issued WHERE fate IS NOT NULL GROUP BY fate, slot
UNION ALL
SELECT 'age', age, sum(count), 0 FROM issued WHERE age IS NOT NULL GROUP BY age
UNION ALL
SELECT 'payment', ${slot("p.paid_at")} AS slot, count(*), sum(p.amount_cents)
FROM @.payments p WHERE p.issuer = $1 AND ${within("p.paid_at")} GROUP BY slot
UNION ALL
SELECT 'return', ${slot("r.returned_at")} AS slot, count(*), sum(r.amount_cents)
FROM @.returns r WHERE r.issuer = $1 AND ${within("r.returned_at")} GROUP BY slot
UNION ALL
SELECT 'openException', ${slot("p.paid_at")} AS slot, count(*), 0
FROM @.payments p
WHERE p.issuer = $1 AND ${within("p.paid_at")} AND NOT p.settles AND p.exception_state IN ('open', 'refunding')
  AND p.amount_cents > (
    SELECT coalesce(sum(r.amount_cents), 0) FROM @.returns r
    WHERE r.issuer = p.issuer AND r.end_to_end_id = p.end_to_end_id
  )
GROUP BY slot
UNION ALL
SELECT d.status, ${slot("d.occurred_at")} AS slot, count(*),
  sum(CASE d.status WHEN 'delivered' THEN d.attempts - 1 ELSE d.attempts END)
FROM @.settled_deliveries d WHERE d.issuer = $1 AND ${within("d.occurred_at")} GROUP BY d.status, slot
UNION ALL
SELECT
  CASE WHEN d.superseded_at IS NULL THEN 'waiting' ELSE 'superseded' END AS status,
  ${slot("d.occurred_at")} AS slot, count(*), sum(d.attempts)
FROM @.deliveries d WHERE d.issuer = $1 AND ${within("d.occurred_at")} GROUP BY status, slot`)
