import { seconds } from "../charges/chargeColumns.sql.ts"
import { lookUp } from "../database/lookUp.ts"
import { repeatable, unrepeatable } from "../database/Sql.ts"
import { exceptionColumns, exceptionJoin } from "../exceptions/exceptions.sql.ts"

// Instants are in seconds since the epoch.

/**
 * Takes charges whose check has come at $1, $2 at most, and puts it off to $3; answers with the moment it had come at.
 * Then those that a clock which ran ahead has left: whose checks ended after $5, and whose check comes after $4.
 */
export const claimCharges = unrepeatable(`
WITH due AS MATERIALIZED (
  SELECT c.issuer, c.id, c.check_at FROM @.charges c
  WHERE c.check_at <= to_timestamp($1)
  ORDER BY c.check_at
  LIMIT $2
  FOR UPDATE SKIP LOCKED
),
ended AS MATERIALIZED (
  SELECT c.issuer, c.id, c.checks_ended_at AS check_at FROM @.charges c
  WHERE c.checks_ended_at > to_timestamp($5)
  ORDER BY c.checks_ended_at
  LIMIT $2::integer - (SELECT count(*) FROM due)
  FOR UPDATE SKIP LOCKED
),
ahead AS MATERIALIZED (
  SELECT c.issuer, c.id, c.check_at FROM @.charges c
  WHERE c.check_at > to_timestamp($4)
  ORDER BY c.check_at DESC
  LIMIT $2::integer - (SELECT count(*) FROM due) - (SELECT count(*) FROM ended)
  FOR UPDATE SKIP LOCKED
)
UPDATE @.charges c SET check_at = to_timestamp($3), checks_ended_at = NULL
FROM (SELECT * FROM due UNION ALL SELECT * FROM ended UNION ALL SELECT * FROM ahead) d WHERE ${lookUp({ "c.issuer": "d.issuer", "c.id": "d.id" })}
RETURNING c.issuer, c.id, ${seconds("d.check_at")} AS was_due_at`)

/**
 * Sets the checks of the charges $1, or clears them, each if its version is the one that was read; `ended_at` is when the
 * last one was made. `checked_until` is until when its payments were looked for. After a check that was made (`is_made`), only
 * if the next one is still to come at `seen_at`. Each charge is named once; they are locked in the order in which every statement
 * locks them. $2 is the lock time-out, such as `200ms`.
 */
export const scheduleCharges = repeatable(`
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', $2, true)),
scheduled AS MATERIALIZED (
  SELECT n.* FROM lock_limit, json_to_recordset($1::json) AS n (
    issuer text, id uuid, version integer, is_made boolean, check_at float8, ended_at float8, checked_until float8,
    seen_at float8
  )
),
locked AS MATERIALIZED (
  SELECT c.issuer, c.id
  FROM (SELECT * FROM scheduled ORDER BY issuer COLLATE "C", id) n CROSS JOIN LATERAL (
    SELECT issuer, id FROM @.charges
    WHERE issuer = n.issuer AND id = n.id AND version = n.version
      AND (NOT n.is_made OR check_at IS NOT DISTINCT FROM to_timestamp(n.seen_at))
    FOR UPDATE
  ) c
)
UPDATE @.charges c SET
  check_at = to_timestamp(n.check_at), checks_ended_at = to_timestamp(n.ended_at),
  checked_until = to_timestamp(n.checked_until)
FROM locked l JOIN scheduled n ON n.issuer = l.issuer AND n.id = l.id
WHERE ${lookUp({ "c.issuer": "l.issuer", "c.id": "l.id" })}`)

/**
 * Takes exceptions under refund whose check has come at $1, $2 at most, and puts it off to $3; then those whose check
 * comes after $4, which a clock that ran ahead has set.
 */
export const claimExceptions = unrepeatable(`
WITH due AS MATERIALIZED (
  SELECT p.issuer, p.end_to_end_id, p.refund_check_at AS was_due_at FROM @.payments p
  WHERE NOT p.settles AND p.exception_state = 'refunding' AND p.refund_check_at <= to_timestamp($1)
  ORDER BY p.refund_check_at
  LIMIT $2
  FOR UPDATE SKIP LOCKED
),
ahead AS MATERIALIZED (
  SELECT p.issuer, p.end_to_end_id, p.refund_check_at AS was_due_at FROM @.payments p
  WHERE NOT p.settles AND p.exception_state = 'refunding'
    AND p.refund_check_at > to_timestamp($4)
  ORDER BY p.refund_check_at DESC
  LIMIT $2::integer - (SELECT count(*) FROM due)
  FOR UPDATE SKIP LOCKED
),
taken AS (
  UPDATE @.payments p SET refund_check_at = to_timestamp($3)
  FROM (SELECT * FROM due UNION ALL SELECT * FROM ahead) d
  WHERE ${lookUp({ "p.issuer": "d.issuer", "p.end_to_end_id": "d.end_to_end_id" })}
  RETURNING p.*, d.was_due_at
)
SELECT ${exceptionColumns}
FROM taken p ${exceptionJoin}
ORDER BY p.was_due_at`)

/** Sets the check of the exception of payment $2 of company $1 to $4, if it is under refund and its version is $3. */
export const scheduleException = repeatable(`
UPDATE @.payments SET refund_check_at = to_timestamp($4)
WHERE issuer = $1 AND end_to_end_id = $2 AND exception_version = $3 AND exception_state = 'refunding' AND NOT settles`)
