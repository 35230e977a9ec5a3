import { repeatable } from "../database/Sql.ts"
import { chargeColumns, chargeJoins } from "./chargeColumns.sql.ts"

/** The charges of the keys $1, each looked up by itself: LATERAL with LIMIT keeps the planner from scanning the table. */
export const findCharges = repeatable(`
SELECT ${chargeColumns}
FROM json_to_recordset($1::json) AS k (issuer text, id uuid)
CROSS JOIN LATERAL (
  SELECT * FROM @.charges c WHERE c.issuer = k.issuer AND c.id = k.id LIMIT 1
) c ${chargeJoins}`)

/** Those of the charges of the keys $1 whose version is another than the key's, each looked up as `findCharges` does it. */
export const findChanged = repeatable(`
SELECT ${chargeColumns}
FROM json_to_recordset($1::json) AS k (issuer text, id uuid, version integer)
CROSS JOIN LATERAL (
  SELECT * FROM @.charges c WHERE c.issuer = k.issuer AND c.id = k.id AND c.version <> k.version LIMIT 1
) c ${chargeJoins}`)
