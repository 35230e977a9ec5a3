import { lookUp } from "../database/lookUp.ts"
import { repeatable } from "../database/Sql.ts"
import { hideFromPlanner } from "../database/hideFromPlanner.ts"

/** The charges under the ids $1, a JSON array, of any company. */
export const findIssuers = repeatable(`
SELECT c.issuer, c.id
FROM (SELECT DISTINCT e::uuid AS id FROM json_array_elements_text($1::json) e) k
JOIN @.charges c ON ${lookUp({ "uuid_send(c.id)": "uuid_send(k.id)" })}`)

/** Those of company $2. */
export const findIssued = repeatable(`
SELECT c.issuer, c.id
FROM (SELECT DISTINCT e::uuid AS id FROM json_array_elements_text($1::json) e) k
JOIN @.charges c ON ${lookUp({ "c.issuer": hideFromPlanner("$2::text"), "c.id": "k.id" })}`)
