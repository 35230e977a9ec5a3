import { repeatable } from "../sql/Sql.ts"
import { insertChargeRows, insertChargeTexts, newCharges } from "./chargeColumns.sql.ts"

/**
 * Stores the new charges $1; returns the keys of those that were new. $2 is the lock time-out, such as `200ms`.
 *
 * Rows are inserted in the order of their keys, so that two batches can't deadlock; nobody else has the texts of a new charge. A charge
 * that has the key already is not read here: it may have been stored after this statement's snapshot, which doesn't show it.
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
