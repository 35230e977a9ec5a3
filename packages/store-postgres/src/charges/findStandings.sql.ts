import { lookUp } from "../database/lookUp.ts"
import { repeatable } from "../database/Sql.ts"
import { paymentReturns } from "./chargeColumns.sql.ts"

/** The standings of the payments of the keys $1, each with the charge for which it is recorded, or else that of its key. */
export const findStandings = repeatable(`
SELECT
  p.issuer, p.end_to_end_id, p.charge_id, p.amount_cents, c.state,
  CASE WHEN NOT p.settles THEN p.exception_state END AS exception_state,
  ${paymentReturns("p.issuer", "p.end_to_end_id")} AS returns
FROM json_to_recordset($1::json) AS k (issuer text, end_to_end_id text, charge_id uuid)
JOIN @.payments p ON ${lookUp({ "p.issuer": "k.issuer", "p.end_to_end_id": "k.end_to_end_id" })}
LEFT JOIN @.charges c ON ${lookUp({ "c.issuer": "p.issuer", "c.id": "coalesce(p.charge_id, k.charge_id)" })}`)
