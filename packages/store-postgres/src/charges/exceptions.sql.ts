import type { ExceptionStatus } from "@pixcharge/core/charges"
import { paymentReturns, returnedCents } from "../charges/chargeColumns.sql.ts"
import { lastRefund, paymentColumns, returnColumns } from "../charges/ChargeRow.ts"
import { isNewReturn } from "./findCharges.sql.ts"
import { lookUp, paged, repeatable, runsAfter, unrepeatable } from "../sql/Sql.ts"
import { deliveryColumns, isUnsettled } from "../outbox/DeliveryRow.ts"
import { positionAt, unmatchedKey } from "../outbox/position.sql.ts"
import { Columns, instant, text } from "../sql/Columns.ts"

export const exceptionFacts = new Columns<{
  readonly refundCheckAt?: number
  readonly refundedAt?: number
  readonly resolution?: string
  readonly resolvedAt?: number
}>({ refundCheckAt: instant, refundedAt: instant, resolution: text, resolvedAt: instant })

const stateColumns = lastRefund.and(exceptionFacts)

/** The columns of exceptions: payments `p`, which `exceptionJoin` joins with their charges. */
export const exceptionColumns = `
  ${paymentColumns.shown("p")},
  p.exception_state, p.exception_version, ${stateColumns.shown("p")},
  CASE WHEN c.id IS NULL THEN 'unmatched' WHEN c.state = 'cancelled' THEN 'cancelledCharge' ELSE 'furtherPayment' END AS reason,
  ${paymentReturns("p.issuer", "p.end_to_end_id")} AS returns`

export const exceptionJoin = `LEFT JOIN @.charges c ON ${lookUp({ "c.issuer": "p.issuer", "c.id": "p.charge_id" })}`

/**
 * At most $2 exceptions of company $1 that are neither resolved nor fully returned, oldest payment first. $3 (in seconds since
 * the epoch) and $4 end the previous page.
 */
export const openExceptions = paged(
  (isFirst) => `
SELECT ${exceptionColumns}
FROM @.payments p ${exceptionJoin}
WHERE p.issuer = $1 AND NOT p.settles AND p.exception_state IN ('open', 'refunding')
  ${isFirst ? "" : "AND (p.paid_at, p.end_to_end_id) > (to_timestamp($3), $4::text)"}
  AND p.amount_cents > ${returnedCents}
ORDER BY p.paid_at, p.end_to_end_id
LIMIT $2`,
)

const isReturned = `(p.exception_state = 'refunded' OR p.amount_cents <= ${returnedCents})`

const statusConditions: Readonly<Record<ExceptionStatus, string>> = {
  open: `AND p.exception_state = 'open' AND NOT ${isReturned}`,
  refunding: `AND p.exception_state = 'refunding' AND NOT ${isReturned}`,
  returned: `AND p.exception_state <> 'resolved' AND ${isReturned}`,
  resolved: "AND p.exception_state = 'resolved'",
}

const searchStatement = (condition: string) =>
  paged(
    (isFirst) => `
SELECT ${exceptionColumns}
FROM @.payments p ${exceptionJoin}
WHERE p.issuer = $1 AND NOT p.settles AND p.paid_at >= to_timestamp($2) AND p.paid_at < to_timestamp($3) ${condition}
  ${isFirst ? "" : "AND (p.paid_at, p.end_to_end_id) < (to_timestamp($5), $6::text)"}
ORDER BY p.paid_at DESC, p.end_to_end_id DESC
LIMIT $4`,
  )

const searches = {
  any: searchStatement(""),
  open: searchStatement(statusConditions.open),
  refunding: searchStatement(statusConditions.refunding),
  returned: searchStatement(statusConditions.returned),
  resolved: searchStatement(statusConditions.resolved),
}

/**
 * At most $4 exceptions of company $1, of payments from $2 until $3 (in seconds since the epoch), newest payment first. $5 and $6
 * end the previous page.
 */
export const searchExceptions = (status: ExceptionStatus | undefined) => {
  const known = searches[status ?? "any"]
  if (known === undefined) throw new RangeError("a status that no exception has")
  return known
}

/**
 * At most $4 exceptions of company $1, oldest payment first: the exceptions of charge $2, and payments without a charge that have
 * its txid $3.
 */
export const chargeExceptions = repeatable(`
SELECT ${exceptionColumns}
FROM (
  SELECT * FROM @.payments WHERE issuer = $1 AND charge_id = $2::uuid AND NOT settles
  UNION ALL
  SELECT * FROM @.payments WHERE issuer = $1 AND txid = $3 AND charge_id IS NULL AND NOT settles
) p ${exceptionJoin}
ORDER BY p.paid_at, p.end_to_end_id
LIMIT $4`)

export const findException = repeatable(`
SELECT ${exceptionColumns}
FROM @.payments p ${exceptionJoin}
WHERE p.issuer = $1 AND p.end_to_end_id = $2 AND NOT p.settles`)

/**
 * Moves the exception $1 by compare-and-set, with the deliveries $3; returns a row if it moved. Always records the returns $2. A
 * new return raises the version, because decisions without it are stale.
 */
export const commitException = unrepeatable(`
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', '2s', true)),
change AS MATERIALIZED (
  SELECT n.* FROM lock_limit, json_to_record($1::json) AS n (
    issuer text, end_to_end_id text, expected integer, moved_at float8, state text, ${stateColumns.recordset},
    actor text, audit_kind text, audit_details json
  )
),
locked AS MATERIALIZED (
  SELECT p.issuer, p.end_to_end_id, p.exception_version = n.expected AS may_move
  FROM change n CROSS JOIN LATERAL (
    SELECT * FROM @.payments p
    WHERE p.issuer = n.issuer AND p.end_to_end_id = n.end_to_end_id AND NOT p.settles
    FOR UPDATE
  ) p
),
returned AS (
  INSERT INTO @.returns (${returnColumns.names})
  SELECT ${returnColumns.given("n")}
  FROM json_to_recordset($2::json) AS n (${returnColumns.recordset})
  WHERE ${runsAfter("locked")} AND ${isNewReturn}
  ORDER BY n.id COLLATE "C"
  ON CONFLICT DO NOTHING
  RETURNING end_to_end_id
),
moved AS (
  UPDATE @.payments p SET
    exception_state = n.state, exception_version = p.exception_version + 1, ${stateColumns.set("n")}
  FROM locked l JOIN change n ON n.issuer = l.issuer AND n.end_to_end_id = l.end_to_end_id
  WHERE ${lookUp({ "p.issuer": "l.issuer", "p.end_to_end_id": "l.end_to_end_id" })} AND l.may_move
  RETURNING p.issuer, p.end_to_end_id, to_timestamp(n.moved_at) AS moved_at
),
queued AS (
  INSERT INTO @.deliveries (issuer, charge_id, ${deliveryColumns.names}, position, queued_at, next_at)
  SELECT
    m.issuer, coalesce(n.charge_id, CASE n.kind WHEN 'exception-returned' THEN ${unmatchedKey("m.end_to_end_id")} END),
    ${deliveryColumns.given("n")},
    ${positionAt("coalesce((SELECT c.version FROM @.charges c WHERE c.issuer = m.issuer AND c.id = n.charge_id), 2)")},
    m.moved_at, m.moved_at
  FROM moved m, json_to_recordset($3::json) AS n (charge_id uuid, ${deliveryColumns.recordset})
  WHERE ${runsAfter("moved")} AND ${isUnsettled("m.issuer")}
  ORDER BY n.event_id COLLATE "C", n.endpoint_id COLLATE "C"
  ON CONFLICT DO NOTHING
),
recorded AS (
  INSERT INTO @.audit_entries (issuer, actor, kind, details)
  SELECT n.issuer, n.actor, n.audit_kind, n.audit_details FROM change n, moved WHERE n.audit_kind IS NOT NULL
),
bumped AS (
  UPDATE @.payments p SET exception_version = p.exception_version + 1
  FROM locked l
  WHERE ${lookUp({ "p.issuer": "l.issuer", "p.end_to_end_id": "l.end_to_end_id" })} AND NOT l.may_move
    AND l.end_to_end_id IN (SELECT end_to_end_id FROM returned)
)
SELECT end_to_end_id FROM moved`)
