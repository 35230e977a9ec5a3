import { repeatable } from "../database/Sql.ts"
import { isNewReturn } from "./isNewReturn.sql.ts"

/**
 * Records the payment $1 of no known charge, and its returns $2; returns a row. Does nothing if the payment is there already, or is
 * another company's. Waits 2 s for a lock.
 */
export const recordUnmatched = repeatable(`
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', '2s', true)),
recorded AS (
  INSERT INTO @.payments (
    issuer, end_to_end_id, txid, amount_cents, paid_at, recorded_at, late, other_amount, settles, exception_version
  )
  SELECT
    n.issuer, n.end_to_end_id, n.txid, n.amount_cents,
    to_timestamp(n.paid_at), to_timestamp(n.recorded_at), n.late, n.other_amount, false,
    -- Tells a charge that adopts it meanwhile that something was returned.
    least(json_array_length($2::json), 1)
  FROM lock_limit, json_to_record($1::json) AS n (
    issuer text, end_to_end_id text, txid text, amount_cents bigint,
    paid_at float8, recorded_at float8, late boolean, other_amount boolean
  )
  ON CONFLICT DO NOTHING
  RETURNING issuer, end_to_end_id
),
returned AS (
  INSERT INTO @.returns (issuer, end_to_end_id, id, kind, amount_cents, returned_at)
  SELECT r.issuer, r.end_to_end_id, n.id, n.kind, n.amount_cents, to_timestamp(n.returned_at)
  FROM recorded r JOIN json_to_recordset($2::json) AS n (
    issuer text, end_to_end_id text, id text, kind text, amount_cents bigint, returned_at float8
  ) ON n.issuer = r.issuer AND n.end_to_end_id = r.end_to_end_id
  WHERE ${isNewReturn}
  ORDER BY n.id COLLATE "C"
  ON CONFLICT DO NOTHING
)
SELECT end_to_end_id FROM recorded`)
