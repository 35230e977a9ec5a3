import { repeatable } from "../database/Sql.ts"

/** Records the payment $1 of no known charge, unless its endToEndId is there or another company's; answers with a row if it was not. Waits 2 s for a lock. */
export const recordUnmatched = repeatable(`
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', '2s', true))
INSERT INTO @.payments (
  issuer, end_to_end_id, txid, amount_cents, paid_at, recorded_at, late, other_amount, settles
)
SELECT
  n.issuer, n.end_to_end_id, n.txid, n.amount_cents,
  to_timestamp(n.paid_at), to_timestamp(n.recorded_at), n.late, n.other_amount, false
FROM lock_limit, json_to_record($1::json) AS n (
  issuer text, end_to_end_id text, txid text, amount_cents bigint,
  paid_at float8, recorded_at float8, late boolean, other_amount boolean
)
ON CONFLICT DO NOTHING
RETURNING end_to_end_id`)
