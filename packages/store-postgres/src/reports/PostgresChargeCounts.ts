import { ChargeCounts, type SlotCount } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { isGivenUp, returnedCents } from "../charges/chargeColumns.sql.ts"
import { seconds } from "../sql/Columns.ts"
import type { Database, Row } from "../sql/Database.ts"
import { repeatable } from "../sql/Sql.ts"
import { numberIn, textIn, toSeconds } from "../sql/values.ts"

const countFromRow = (row: Row): SlotCount => ({
  counted: textIn(row, "counted") as SlotCount["counted"],
  slot: numberIn(row, "slot"),
  count: numberIn(row, "count"),
  sum: numberIn(row, "sum"),
})

export const makeChargeCounts = ({ report }: Database): ChargeCounts["Service"] =>
  ChargeCounts.of({
    count: (issuer, { bounds, ages, now }) => {
      const moments = bounds.map(toSeconds)
      const values = [
        issuer,
        moments.at(0),
        moments.at(-1),
        JSON.stringify(moments),
        JSON.stringify(ages.map(toSeconds)),
        toSeconds(now),
      ]
      return Effect.map(report("countCharges", issuer, countCharges, values), (rows) => rows.map(countFromRow))
    },
  })

const bucket = (value: string, bounds: "bounds" | "ages"): string =>
  `width_bucket(${seconds(value)}, (SELECT ${bounds} FROM scale))`

const slot = (moment: string): string => `${bucket(moment, "bounds")} - 1`

const joinPeriod = (
  table: string,
  moment: string,
  columns: string,
  { until = "until", where = "true" } = {},
): string => `
  period CROSS JOIN LATERAL (
    SELECT ${columns} FROM @.${table} t
    WHERE t.issuer = $1 AND t.${moment} >= since AND t.${moment} < ${until} AND ${where}
    OFFSET 0
  ) m`

/** Selects a row by a range with an order, because only the primary key fits both. */
const selectByKey = (table: string, key: string, value: string, columns: string): string => `
    SELECT ${columns} FROM @.${table} t
    WHERE t.issuer = $1 AND t.${key} BETWEEN ${value} AND ${value}
    ORDER BY t.${key} LIMIT 1
  `

const hadPayment = (state: string): string => `${state} IN ('paid', 'refunding', 'refunded')`

/**
 * Counts of company $1 from $2 until $3, by slots that begin at the times $4; $5 are ages in seconds, $6 is now. Times are in
 * seconds since the epoch. $4 and $5 are ascending JSON arrays.
 *
 * Each part reads the period from one index that begins with the company and the time.
 *
 * A full join connects charges and payments, because it never becomes a nested loop. Payments are read for twice the period. A
 * later payment and its charge are looked up by key; LIMIT keeps the planner from turning these into joins.
 */
export const countCharges = repeatable(`
WITH scale AS MATERIALIZED (
  SELECT
    (SELECT array_agg(b::float8 ORDER BY b::float8) FROM json_array_elements_text($4::json) b) AS bounds,
    (SELECT array_agg(a::float8 ORDER BY a::float8) FROM json_array_elements_text($5::json) a) AS ages
),
period AS MATERIALIZED (SELECT to_timestamp($2) AS since, to_timestamp($3) AS until),
charged AS MATERIALIZED (
  SELECT
    ${slot("c.created_at")} AS slot, c.state, c.payable_until < to_timestamp($6) AS is_over,
    ${bucket("p.paid_at - c.created_at", "ages")} AS age, count(*) AS count,
    CASE WHEN p.paid_at IS NULL AND ${hadPayment("c.state")} THEN c.id END AS paid_later
  FROM (SELECT m.* FROM ${joinPeriod("charges", "created_at", "t.id, t.created_at, t.state, t.payable_until")}) c
  FULL JOIN (
    SELECT m.charge_id, m.paid_at
    FROM ${joinPeriod("payments", "paid_at", "t.charge_id, t.paid_at, t.settles", { until: "until + (until - since)" })}
    WHERE m.settles
  ) p ON p.charge_id = c.id
  GROUP BY 1, 2, 3, 4, 6
),
failed AS MATERIALIZED (
  SELECT ${slot("m.created_at")} AS slot, m.payable_until < to_timestamp($6) AS is_over
  FROM ${joinPeriod("charges", "created_at", "t.created_at, t.payable_until", { where: `t.state = 'pending' AND ${isGivenUp("t")}` })}
),
by_outcome AS (
  SELECT
    CASE
      WHEN ${hadPayment("state")} THEN 'paid'
      WHEN state = 'cancelled' THEN 'cancelled'
      WHEN is_over THEN 'expired'
    END AS outcome,
    slot, count
  FROM charged
  UNION ALL
  SELECT 'failed', slot, 1 FROM failed
  UNION ALL
  -- Only here is its debit read: the index that has all of the period knows nothing of it.
  SELECT 'expired', slot, -1 FROM failed WHERE is_over
),
by_age AS (
  SELECT age, count FROM charged WHERE age IS NOT NULL
  UNION ALL
  SELECT ${bucket("q.paid_at - c.created_at", "ages")}, 1
  FROM charged l
  CROSS JOIN LATERAL (${selectByKey("charges", "id", "l.paid_later", "t.created_at, t.settled_by")}) c
  CROSS JOIN LATERAL (${selectByKey("payments", "end_to_end_id", "c.settled_by", "t.paid_at")}) q
  WHERE l.paid_later IS NOT NULL
)
SELECT 'issued' AS counted, slot, sum(count) AS count, 0 AS sum FROM charged WHERE state IS NOT NULL GROUP BY slot
UNION ALL
SELECT outcome, slot, sum(count), 0 FROM by_outcome WHERE outcome IS NOT NULL GROUP BY outcome, slot
HAVING sum(count) > 0
UNION ALL
SELECT 'age', age, sum(count), 0 FROM by_age GROUP BY age
UNION ALL
SELECT 'payment', ${slot("m.paid_at")} AS slot, count(*), sum(m.amount_cents)
FROM ${joinPeriod("payments", "paid_at", "t.paid_at, t.amount_cents")} GROUP BY slot
UNION ALL
SELECT 'return', ${slot("m.returned_at")} AS slot, count(*), sum(m.amount_cents)
FROM ${joinPeriod("returns", "returned_at", "t.returned_at, t.amount_cents")} GROUP BY slot
UNION ALL
SELECT 'openException', ${slot("p.paid_at")} AS slot, count(*), 0
FROM period CROSS JOIN @.payments p
WHERE p.issuer = $1 AND p.paid_at >= since AND p.paid_at < until
  AND NOT p.settles AND p.exception_state IN ('open', 'refunding')
  AND p.amount_cents > ${returnedCents}
GROUP BY slot
UNION ALL
SELECT m.status, ${slot("m.occurred_at")} AS slot, count(*),
  sum(CASE m.status WHEN 'delivered' THEN m.attempts - 1 ELSE m.attempts END)
FROM ${joinPeriod("settled_deliveries", "occurred_at", "t.occurred_at, t.status, t.attempts")} GROUP BY m.status, slot
UNION ALL
SELECT 'waiting', ${slot("m.occurred_at")} AS slot, count(*), sum(m.attempts)
FROM ${joinPeriod("deliveries", "occurred_at", "t.occurred_at, t.attempts", { where: "t.superseded_at IS NULL" })} GROUP BY slot
UNION ALL
SELECT 'superseded', ${slot("m.occurred_at")} AS slot, count(*), sum(m.attempts)
FROM ${joinPeriod("deliveries", "occurred_at", "t.occurred_at, t.attempts", { where: "t.superseded_at IS NOT NULL" })} GROUP BY slot`)
