import { lookUp } from "../database/lookUp.ts"
import { repeatable } from "../database/Sql.ts"
import { chargeColumns, chargeJoins } from "./chargeColumns.sql.ts"

/** The charges of the keys $1, each looked up by itself. */
export const findCharges = repeatable(`
SELECT ${chargeColumns}
FROM json_to_recordset($1::json) AS k (issuer text, id uuid)
JOIN @.charges c ON ${lookUp({ "c.issuer": "k.issuer", "c.id": "k.id" })}
${chargeJoins}`)

/** Those of the charges of the keys $1 whose version is another than the key's, each looked up as `findCharges` does it. */
export const findChanged = repeatable(`
SELECT ${chargeColumns}
FROM json_to_recordset($1::json) AS k (issuer text, id uuid, version integer)
JOIN @.charges c ON ${lookUp({ "c.issuer": "k.issuer", "c.id": "k.id" })} AND c.version <> k.version
${chargeJoins}`)
