import { insertChargeRows, insertChargeTexts, newCharges } from "../charges/chargeColumns.sql.ts"
import { lookUp, runsAfter, unrepeatable } from "../sql/Sql.ts"
import { deliveryColumns } from "../outbox/DeliveryRow.ts"
import { recurrenceState } from "./RecurrenceRow.ts"

/**
 * Moves the recurrence $1 by compare-and-set, with the charges $2 of its cycles and the deliveries $3, each a JSON array; returns a
 * row if it moved. A charge whose id is taken, or whose cycle has another one that is neither cancelled nor rejected, is not
 * inserted, and then nothing is written. Locks the recurrence before its charges. Waits 2 s for a lock.
 */
export const commitRecurrence = unrepeatable(`
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', '2s', true)),
change AS MATERIALIZED (
  SELECT n.* FROM lock_limit, json_to_record($1::json) AS n (
    issuer text, id uuid, expected integer, state text, check_at float8, ${recurrenceState.recordset},
    actor text, audit_kind text, audit_details json
  )
),
locked AS MATERIALIZED (
  SELECT r.issuer, r.id
  FROM change n CROSS JOIN LATERAL (
    SELECT issuer, id, version FROM @.recurrences WHERE issuer = n.issuer AND id = n.id
    FOR UPDATE
  ) r
  WHERE r.version = n.expected
),
charge AS MATERIALIZED (
  SELECT n.* FROM locked l JOIN json_to_recordset($2::json) AS n (${newCharges}) ON n.issuer = l.issuer
),
inserted_charge AS (
  ${insertChargeRows}
  ON CONFLICT DO NOTHING
  RETURNING issuer, id
),
texts AS (
  ${insertChargeTexts}
),
moved AS (
  UPDATE @.recurrences r SET
    state = n.state, check_at = to_timestamp(n.check_at), ${recurrenceState.set("n")}
  FROM locked l, change n
  WHERE ${lookUp({ "r.issuer": "l.issuer", "r.id": "l.id" })}
    AND (SELECT count(*) FROM inserted_charge) = json_array_length($2::json)
  RETURNING r.issuer, r.version, r.updated_at
),
queued AS (
  INSERT INTO @.deliveries (issuer, ${deliveryColumns.names}, position, queued_at, next_at)
  SELECT
    m.issuer, ${deliveryColumns.given("n")},
    m.version, m.updated_at, m.updated_at
  FROM moved m, json_to_recordset($3::json) AS n (${deliveryColumns.recordset})
  WHERE ${runsAfter("moved")}
  ORDER BY n.event_id COLLATE "C", n.endpoint_id COLLATE "C"
  ON CONFLICT DO NOTHING
),
recorded AS (
  INSERT INTO @.audit_entries (issuer, actor, kind, details)
  SELECT n.issuer, n.actor, n.audit_kind, n.audit_details FROM change n, moved WHERE n.audit_kind IS NOT NULL
)
SELECT issuer FROM moved`)
