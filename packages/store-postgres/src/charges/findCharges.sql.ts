import { deliveryColumns } from "../outbox/DeliveryRow.ts"
import { positionAt, unmatchedKey } from "../outbox/position.sql.ts"
import { lookUp, repeatable } from "../sql/Sql.ts"
import { paymentColumns, returnColumns } from "./ChargeRow.ts"
import { chargeColumns, chargeJoins, paymentReturns } from "./chargeColumns.sql.ts"

export const findCharges = repeatable(`
SELECT ${chargeColumns}
FROM json_to_recordset($1::json) AS k (issuer text, id uuid)
JOIN @.charges c ON ${lookUp({ "c.issuer": "k.issuer", "c.id": "k.id" })}
${chargeJoins}`)

export const findChanged = repeatable(`
SELECT ${chargeColumns}
FROM json_to_recordset($1::json) AS k (issuer text, id uuid, version integer)
JOIN @.charges c ON ${lookUp({ "c.issuer": "k.issuer", "c.id": "k.id" })} AND c.version <> k.version
${chargeJoins}`)

/** $1 is a JSON array of distinct endToEndIds in lower case. */
export const findOwners = repeatable(`
SELECT o.end_to_end_id, o.owner
FROM json_array_elements_text($1::json) AS k (end_to_end_id)
JOIN @.payment_owners o ON ${lookUp({ "o.end_to_end_id": "k.end_to_end_id" })}`)

/** The payments with keys $1, each with the state of its charge. For a payment without a charge, the key can name one. */
export const findStandings = repeatable(`
WITH found AS MATERIALIZED (
  SELECT
    p.issuer, p.end_to_end_id, p.charge_id, p.amount_cents, coalesce(p.charge_id, k.charge_id) AS named_id,
    CASE WHEN NOT p.settles THEN p.exception_state END AS exception_state,
    p.exception_state = 'resolved' AND p.refunded_at IS NOT NULL AS is_returned
  FROM json_to_recordset($1::json) AS k (issuer text, end_to_end_id text, charge_id uuid)
  JOIN @.payments p ON ${lookUp({ "p.issuer": "k.issuer", "p.end_to_end_id": "k.end_to_end_id" })}
)
SELECT
  f.issuer, f.end_to_end_id, f.charge_id, f.amount_cents, c.state, f.exception_state, f.is_returned,
  ${paymentReturns("f.issuer", "f.end_to_end_id")} AS returns
FROM found f
LEFT JOIN @.charges c ON ${lookUp({ "c.issuer": "f.issuer", "c.id": "f.named_id" })}`)

/** The planner can't turn a count into a join: it looks up each return. */
export const isNewReturn = `(
    SELECT count(*) FROM @.returns known
    WHERE known.issuer = n.issuer AND known.end_to_end_id = n.end_to_end_id AND known.folded_id = lower(n.id)
  ) = 0`

/**
 * Records the unmatched payment $1, its returns $2 and its deliveries $3; returns a row, unless any company's books have the
 * payment. Waits 2 s for a lock.
 */
export const recordUnmatched = repeatable(`
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', '2s', true)),
recorded AS (
  INSERT INTO @.payments (${paymentColumns.names}, settles, exception_version)
  SELECT
    ${paymentColumns.given("n")}, false,
    -- Tells a charge that adopts it meanwhile that something was returned.
    least(json_array_length($2::json), 1)
  FROM lock_limit, json_to_record($1::json) AS n (${paymentColumns.recordset})
  ON CONFLICT DO NOTHING
  RETURNING issuer, end_to_end_id, recorded_at
),
returned AS (
  INSERT INTO @.returns (${returnColumns.names})
  SELECT ${returnColumns.given("n")}
  FROM recorded r JOIN json_to_recordset($2::json) AS n (${returnColumns.recordset}) ON n.issuer = r.issuer AND n.end_to_end_id = r.end_to_end_id
  WHERE ${isNewReturn}
  ORDER BY n.id COLLATE "C"
  ON CONFLICT DO NOTHING
),
queued AS (
  INSERT INTO @.deliveries (issuer, charge_id, ${deliveryColumns.names}, position, queued_at, next_at)
  SELECT
    r.issuer, ${unmatchedKey("r.end_to_end_id")}, ${deliveryColumns.given("n")},
    ${positionAt("2")}, r.recorded_at, r.recorded_at
  FROM recorded r, json_to_recordset($3::json) AS n (${deliveryColumns.recordset})
  ORDER BY n.event_id COLLATE "C", n.endpoint_id COLLATE "C"
  ON CONFLICT DO NOTHING
)
SELECT end_to_end_id FROM recorded`)
