import { repeatable } from "../sql/Sql.ts"
import {
  chargeCycle,
  chargeFacts,
  chargeState,
  chargeTexts,
  lastRefund,
  ownTexts,
  partialRefund,
  rareState,
  returnColumns,
  settlingPayment,
  shopTexts,
} from "./ChargeRow.ts"

export const paymentReturns = (issuer: string, endToEndId: string): string => `(
    SELECT json_agg(${returnColumns.asJson("r")} ORDER BY r.returned_at, r.id)::text
    FROM @.returns r
    WHERE r.issuer = ${issuer} AND r.end_to_end_id = ${endToEndId}
  )`

export const returnedCents = `(
    SELECT coalesce(sum(r.amount_cents), 0) FROM @.returns r
    WHERE r.issuer = p.issuer AND r.end_to_end_id = p.end_to_end_id
  )`

export const partialRefundColumns = partialRefund.and(lastRefund)

const chargePartialRefunds = (issuer: string, id: string): string => `(
    SELECT json_agg(${partialRefundColumns.asJson("f")} ORDER BY f.requested_at, f.key)::text
    FROM @.partial_refunds f
    WHERE f.issuer = ${issuer} AND f.charge_id = ${id}
  )`

/** Whether the bank gave up the charge's debit; null for a charge without a cycle. */
export const isGivenUp = (alias: string): string => `${alias}.debit ->> 'status' IN ('rejected', 'unpaid')`

const rareTexts = ownTexts.and(shopTexts)
const rareFacts = chargeCycle.and(rareState)
const allTexts = chargeTexts.and(rareTexts)

/** The columns of charges `c` with `chargeJoins`. What few charges have shares one column, because each column costs bytes. */
export const chargeColumns = `
  c.state, ${chargeFacts.shown("c")},
  ${chargeTexts.shown("a")},
  ${chargeState.shown("c")},
  ${lastRefund.shown("c")},
  ${settlingPayment.shown("p")},
  CASE WHEN c.settled_by IS NOT NULL THEN ${paymentReturns("c.issuer", "c.settled_by")} END AS returns,
  CASE WHEN c.has_partial_refunds THEN ${chargePartialRefunds("c.issuer", "c.id")} END AS partial_refunds,
  CASE WHEN num_nonnulls(${rareFacts.named("c")}, ${rareTexts.named("a")}) > 0
    THEN json_build_object(${rareFacts.members("c")}, ${rareTexts.members("a")})::text
  END AS rare`

export const withoutShopTexts = (event: string): string =>
  `(${event}::jsonb ${["payment", "charge"]
    .flatMap((part) => shopTexts.columns.map(({ name }) => `#- '{${part},${name}}'`))
    .join(" ")})::json`

/** LIMIT keeps the planner from turning either look-up into a join. */
export const chargeJoins = `
LEFT JOIN LATERAL (
  SELECT * FROM @.payments q
  WHERE c.settled_by IS NOT NULL AND q.issuer = c.issuer AND q.end_to_end_id = c.settled_by
  LIMIT 1
) p ON true
LEFT JOIN LATERAL (
  SELECT ${allTexts.names} FROM @.charge_texts t
  WHERE t.issuer = c.issuer AND t.created_at = c.created_at AND t.id = c.id
  LIMIT 1
) a ON true`

const rowColumns = chargeFacts.and(chargeState, rareState, chargeCycle)

export const newCharges = rowColumns.and(allTexts).recordset

export const insertChargeRows = `INSERT INTO @.charges (state, ${rowColumns.names})
  SELECT 'pending', ${rowColumns.given("n")}
  FROM charge n`

export const insertChargeTexts = `INSERT INTO @.charge_texts (issuer, id, created_at, ${allTexts.names})
  SELECT n.issuer, n.id, to_timestamp(n.created_at), ${allTexts.given("n")}
  FROM inserted_charge i JOIN charge n ON n.issuer = i.issuer AND n.id = i.id`

export const moveColumns = chargeState.and(lastRefund, rareState)

/**
 * Stores the new charges $1; returns the keys of the inserted charges. $2 is the lock time-out, such as `200ms`.
 *
 * Inserts in key order: batches can't deadlock. Doesn't read existing charges, which can be newer than the snapshot.
 */
export const insertCharges = repeatable(`
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', $2, true)),
charge AS MATERIALIZED (
  SELECT n.* FROM lock_limit, json_to_recordset($1::json) AS n (${newCharges})
),
inserted_charge AS (
  ${insertChargeRows}
  ORDER BY n.issuer COLLATE "C", n.id
  ON CONFLICT (issuer, id) DO NOTHING
  RETURNING issuer, id
),
texts AS (
  ${insertChargeTexts}
)
SELECT issuer, id FROM inserted_charge`)
