import { lookUp } from "../database/lookUp.ts"
import { repeatable } from "../database/Sql.ts"
import { paymentReturns } from "./chargeColumns.sql.ts"

/** The payments with the keys $1, each with the state of its own charge or else of the charge that its key names. */
export const findStandings = repeatable(`
WITH found AS MATERIALIZED (
  SELECT
    p.issuer, p.end_to_end_id, p.charge_id, p.amount_cents, coalesce(p.charge_id, k.charge_id) AS named_id,
    CASE WHEN NOT p.settles THEN p.exception_state END AS exception_state
  FROM json_to_recordset($1::json) AS k (issuer text, end_to_end_id text, charge_id uuid)
  JOIN @.payments p ON ${lookUp({ "p.issuer": "k.issuer", "p.end_to_end_id": "k.end_to_end_id" })}
)
SELECT
  f.issuer, f.end_to_end_id, f.charge_id, f.amount_cents, c.state, f.exception_state,
  ${paymentReturns("f.issuer", "f.end_to_end_id")} AS returns
FROM found f
LEFT JOIN @.charges c ON ${lookUp({ "c.issuer": "f.issuer", "c.id": "f.named_id" })}`)
