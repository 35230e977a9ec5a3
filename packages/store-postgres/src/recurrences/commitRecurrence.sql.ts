import { lookUp } from "../database/lookUp.ts"
import { runsAfter } from "../database/runsAfter.ts"
import { unrepeatable } from "../database/Sql.ts"

/**
 * Moves the recurrence $1 by compare-and-set, with the charges $2 of its cycles and the deliveries $3, each a JSON array; returns a
 * row if it moved. A charge whose id is taken, or whose cycle has another one that is neither cancelled nor rejected, is not
 * inserted, and then nothing is written. Locks the recurrence before its charges. Waits 2 s for a lock.
 */
export const commitRecurrence = unrepeatable(`
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', '2s', true)),
change AS MATERIALIZED (
  SELECT n.* FROM lock_limit, json_to_record($1::json) AS n (
    issuer text, id uuid, expected integer, state text, version integer, updated_at float8, check_at float8,
    next_cycle integer, announced_cycle integer, skipped integer[], bank_id text, br_code text, approved_at float8,
    end_requested_at float8, end_reason text, ended_by text, end_code text, ended_at float8,
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
  SELECT n.* FROM locked l JOIN json_to_recordset($2::json) AS n (
    issuer text, id uuid, transaction_id uuid, amount_cents bigint, due_date date,
    payer_name text, payer_tax_id text, message_to_payer text, additional_info json, fees json, closed_days json, br_code text,
    created_at float8, payable_until float8, watch_until float8, version integer, updated_at float8, check_at float8,
    look_up_at float8, payer_erased_at float8,
    recurrence_id uuid, cycle integer, generation integer, cycle_terms json, debit json
  ) ON n.issuer = l.issuer
),
inserted_charge AS (
  INSERT INTO @.charges (
    issuer, id, transaction_id, amount_cents, due_date, payer_erased_at, created_at, payable_until, watch_until, state, version,
    updated_at, check_at, look_up_at, recurrence_id, cycle, generation, cycle_terms, debit
  )
  SELECT
    n.issuer, n.id, n.transaction_id, n.amount_cents, n.due_date, to_timestamp(n.payer_erased_at),
    to_timestamp(n.created_at), to_timestamp(n.payable_until), to_timestamp(n.watch_until),
    'pending', n.version, to_timestamp(n.updated_at), to_timestamp(n.check_at), to_timestamp(n.look_up_at),
    n.recurrence_id, n.cycle, n.generation, n.cycle_terms, n.debit
  FROM charge n
  ON CONFLICT DO NOTHING
  RETURNING issuer, id
),
texts AS (
  INSERT INTO @.charge_texts (
    issuer, id, payer_name, payer_tax_id, message_to_payer, additional_info, fees, closed_days, br_code, created_at
  )
  SELECT
    n.issuer, n.id, n.payer_name, n.payer_tax_id, n.message_to_payer, n.additional_info, n.fees, n.closed_days, n.br_code,
    to_timestamp(n.created_at)
  FROM inserted_charge i JOIN charge n ON n.issuer = i.issuer AND n.id = i.id
),
moved AS (
  UPDATE @.recurrences r SET
    state = n.state, version = n.version, updated_at = to_timestamp(n.updated_at), check_at = to_timestamp(n.check_at),
    next_cycle = n.next_cycle, announced_cycle = n.announced_cycle, skipped = n.skipped, bank_id = n.bank_id,
    br_code = n.br_code, approved_at = to_timestamp(n.approved_at), end_requested_at = to_timestamp(n.end_requested_at),
    end_reason = n.end_reason, ended_by = n.ended_by, end_code = n.end_code, ended_at = to_timestamp(n.ended_at)
  FROM locked l, change n
  WHERE ${lookUp({ "r.issuer": "l.issuer", "r.id": "l.id" })}
    AND (SELECT count(*) FROM inserted_charge) = json_array_length($2::json)
  RETURNING r.issuer, r.version, r.updated_at
),
queued AS (
  INSERT INTO @.deliveries (
    issuer, event_id, endpoint_id, event, kind, occurred_at, position, queued_at, next_at
  )
  SELECT
    m.issuer, n.event_id, n.endpoint_id, n.event, n.kind, to_timestamp(n.occurred_at), m.version, m.updated_at, m.updated_at
  FROM moved m, json_to_recordset($3::json) AS n (
    event_id text, endpoint_id text, event json, kind text, occurred_at float8
  )
  WHERE ${runsAfter("moved")}
  ORDER BY n.event_id COLLATE "C", n.endpoint_id COLLATE "C"
  ON CONFLICT DO NOTHING
),
recorded AS (
  INSERT INTO @.audit_entries (issuer, actor, kind, details)
  SELECT n.issuer, n.actor, n.audit_kind, n.audit_details FROM change n, moved WHERE n.audit_kind IS NOT NULL
)
SELECT issuer FROM moved`)
