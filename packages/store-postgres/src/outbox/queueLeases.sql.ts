import { lookUp } from "../database/lookUp.ts"
import { repeatable } from "../database/Sql.ts"

/** Locks the leases of $1 that still hold, in the order in which every statement locks them; the commit doesn't wait for the disk. */
const lockHeld = `
WITH async_commit AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
held AS MATERIALIZED (
  SELECT l.issuer, l.endpoint_id
  FROM (
    SELECT s.* FROM async_commit, json_to_recordset($1::json) AS s (issuer text, endpoint_id text, token text)
    ORDER BY s.issuer COLLATE "C", s.endpoint_id COLLATE "C"
  ) s CROSS JOIN LATERAL (
    SELECT issuer, endpoint_id FROM @.queue_leases
    WHERE issuer = s.issuer AND endpoint_id = s.endpoint_id AND token::text = s.token
    FOR UPDATE
  ) l
)`

/** Makes leases end $2 milliseconds from now; returns the tokens of those that hold. */
export const renewLeases = repeatable(`${lockHeld}
UPDATE @.queue_leases l SET lease_until = clock_timestamp() + $2::float8 * interval '1 ms'
FROM held h
WHERE ${lookUp({ "l.issuer": "h.issuer", "l.endpoint_id": "h.endpoint_id" })}
RETURNING l.token`)
