import { repeatable } from "../database/Sql.ts"

/**
 * Stores the new charges $1; returns the keys of those that were new. $2 is the lock time-out, such as `200ms`.
 *
 * Rows are inserted in the order of their keys, so that two batches can't deadlock; nobody else has the texts of a new charge. A charge
 * that has the key already is not read here: it may have been stored after this statement's snapshot, which doesn't show it.
 */
export const insertCharges = repeatable(`
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', $2, true)),
charge AS MATERIALIZED (
  SELECT n.* FROM lock_limit, json_to_recordset($1::json) AS n (
    issuer text, id uuid, transaction_id uuid, amount_cents bigint, due_date date,
    payer_name text, payer_tax_id text, message_to_payer text, additional_info json, fees json, closed_days json, br_code text,
    created_at float8, payable_until float8, watch_until float8, version integer, updated_at float8, check_at float8,
    look_up_at float8
  )
),
inserted AS (
  INSERT INTO @.charges (
    issuer, id, transaction_id, amount_cents, due_date, created_at, payable_until, watch_until, state, version, updated_at,
    check_at, look_up_at
  )
  SELECT
    n.issuer, n.id, n.transaction_id, n.amount_cents, n.due_date,
    to_timestamp(n.created_at), to_timestamp(n.payable_until), to_timestamp(n.watch_until),
    'pending', n.version, to_timestamp(n.updated_at), to_timestamp(n.check_at), to_timestamp(n.look_up_at)
  FROM charge n
  ORDER BY n.issuer COLLATE "C", n.id
  ON CONFLICT (issuer, id) DO NOTHING
  RETURNING issuer, id
),
texts AS (
  INSERT INTO @.charge_texts (
    issuer, id, payer_name, payer_tax_id, message_to_payer, additional_info, fees, closed_days, br_code, created_at
  )
  SELECT
    n.issuer, n.id, n.payer_name, n.payer_tax_id, n.message_to_payer, n.additional_info, n.fees, n.closed_days, n.br_code,
    to_timestamp(n.created_at)
  FROM inserted i JOIN charge n ON n.issuer = i.issuer AND n.id = i.id
)
SELECT issuer, id FROM inserted`)
