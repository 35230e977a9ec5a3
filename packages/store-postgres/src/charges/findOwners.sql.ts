import { lookUp } from "../database/lookUp.ts"
import { repeatable } from "../database/Sql.ts"

/** The companies whose books have the payments $1, a JSON array of different endToEndIds in lower case. */
export const findOwners = repeatable(`
SELECT o.end_to_end_id, o.owner
FROM json_array_elements_text($1::json) AS k (end_to_end_id)
JOIN @.payment_owners o ON ${lookUp({ "o.end_to_end_id": "k.end_to_end_id" })}`)
