import { lookUp } from "../database/lookUp.ts"
import { repeatable } from "../database/Sql.ts"

/**
 * Whether the return `n` is not recorded yet: processors write ids in either case. A count is no join, so that it is looked up
 * for each return by itself.
 */
export const isNewReturn = `(
    SELECT count(*) FROM @.returns known
    WHERE known.issuer = n.issuer AND known.end_to_end_id = n.end_to_end_id AND lower(known.id) = lower(n.id)
  ) = 0`

/**
 * Moves charges by compare-and-set, and records their money facts, in one statement. $1 are the changes, $2 their
 * payments, $3 their returns, $4 their deliveries, each a JSON array; $5 is the lock time-out, such as `200ms`; $6 is
 * `lateRefundMs`.
 *
 * A change that counts `only_at_version` records its payments with its move alone.
 *
 * At most one change of a charge, and one mention of a payment, may be in a batch: within a statement none sees what
 * another has done. Locks are taken in the order of keys, table after table, so that batches can't deadlock: first the
 * charges (`locked`, which reads each as it is then), then payments, returns and deliveries.
 *
 * A new return moves the version of the charge or exception that its payment belongs to, also when the change is stale.
 * A partial refund is written with the move, by which its charge is locked.
 *
 * A move that takes back what is unsent doesn't happen if the charge's row was changed after the statement began: a
 * replay may have put a delivery into the queue, which the statement can't see. Another try does.
 *
 * `recorded`: a payment is inserted, or adopted if nobody had it, or left alone, with its returns, if it is another
 * charge's. It settles only what is going to move. `moved`: a charge whose settling payment comes with the change moves only
 * with it, and only by who knows all that went back of it. What came to be known after the statement began, it can't see:
 * that moved the exception's version, and another try sees it.
 */
const commitText = (parted: { readonly set: string; readonly parts: string }): string => `
WITH lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', $5, true)),
change AS MATERIALIZED (
  SELECT c.* FROM lock_limit, json_to_recordset($1::json) AS c (
    issuer text, id uuid, expected integer, only_at_version boolean, moves boolean, brings_settling boolean, known_returns json,
    unsent text,
    state text, version integer, updated_at float8, check_at float8, settled_by text,
    refund_id text, refund_attempt integer, refund_requested_at float8, refund_unanswered json,
    refund_rejection text, refunded_at float8, cancelled_at float8
  )
),
locked AS MATERIALIZED (
  SELECT k.issuer, k.id, k.settled_by,
    c.moves AND k.version = c.expected AND (c.unsent IS DISTINCT FROM 'supersede' OR k.ctid = (
      SELECT seen.ctid FROM @.charges seen WHERE seen.issuer = c.issuer AND seen.id = c.id
    )) AND NOT (c.brings_settling AND EXISTS (
      SELECT 1 FROM @.returns r
      WHERE r.issuer = c.issuer AND r.end_to_end_id = c.settled_by
        AND r.id NOT IN (SELECT json_array_elements_text(c.known_returns))
    )) AS may_move
  FROM (SELECT * FROM change ORDER BY issuer COLLATE "C", id) c CROSS JOIN LATERAL (
    SELECT issuer, id, version, settled_by, ctid FROM @.charges
    WHERE issuer = c.issuer AND id = c.id
    FOR UPDATE
  ) k
),
shown_return AS MATERIALIZED (
  SELECT n.* FROM json_to_recordset($3::json) AS n (
    issuer text, end_to_end_id text, id text, kind text, amount_cents bigint, returned_at float8, is_brought boolean
  )
  WHERE ${isNewReturn}
),
recorded AS (
  INSERT INTO @.payments AS p (
    issuer, end_to_end_id, txid, charge_id, amount_cents, paid_at, recorded_at, late, other_amount, settles,
    exception_version
  )
  SELECT
    n.issuer, n.end_to_end_id, n.txid, n.charge_id, n.amount_cents,
    to_timestamp(n.paid_at), to_timestamp(n.recorded_at), n.late, n.other_amount,
    coalesce(l.may_move AND c.settled_by = n.end_to_end_id, false),
    CASE WHEN (n.issuer, n.end_to_end_id) IN (SELECT issuer, end_to_end_id FROM shown_return) THEN 1 ELSE 0 END
  FROM json_to_recordset($2::json) AS n (
    issuer text, end_to_end_id text, txid text, charge_id uuid, amount_cents bigint,
    paid_at float8, recorded_at float8, late boolean, other_amount boolean
  )
  JOIN change c ON c.issuer = n.issuer AND c.id = n.charge_id
  LEFT JOIN locked l ON l.issuer = n.issuer AND l.id = n.charge_id
  -- Always true: the count makes sure that every charge is locked before the first payment is.
  WHERE (SELECT count(*) FROM locked) >= 0 AND (c.only_at_version IS NOT TRUE OR l.may_move)
  ORDER BY n.issuer COLLATE "C", n.end_to_end_id COLLATE "C"
  ON CONFLICT (issuer, end_to_end_id) DO UPDATE SET
    charge_id = excluded.charge_id,
    late = CASE WHEN p.charge_id IS NULL THEN excluded.late ELSE p.late END,
    other_amount = CASE WHEN p.charge_id IS NULL THEN excluded.other_amount ELSE p.other_amount END,
    settles = p.settles OR (excluded.settles AND p.exception_state IN ('open', 'refunded') AND p.exception_version = coalesce((
      SELECT seen.exception_version FROM @.payments seen
      WHERE seen.issuer = p.issuer AND seen.end_to_end_id = p.end_to_end_id
    ), 0)),
    exception_version = p.exception_version + excluded.exception_version,
    repeats = p.repeats + 1
  WHERE p.charge_id = excluded.charge_id
    OR (p.charge_id IS NULL AND p.exception_state IN ('open', 'refunded') AND (
      p.refund_unanswered IS NULL
      OR to_timestamp((p.refund_unanswered ->> -1)::float8 / 1000) < excluded.recorded_at - $6::float8 * interval '1 ms'
    ))
  RETURNING p.issuer, p.end_to_end_id, p.charge_id, p.settles, p.repeats = 0 AS fresh
),
new_return AS MATERIALIZED (
  SELECT n.* FROM shown_return n
  WHERE NOT n.is_brought OR (n.issuer, n.end_to_end_id) IN (SELECT issuer, end_to_end_id FROM recorded)
),
-- Without those that are recorded here: a row is changed once in a statement.
exception AS MATERIALIZED (
  SELECT e.issuer, e.end_to_end_id FROM (
    SELECT DISTINCT issuer, end_to_end_id FROM new_return
    WHERE NOT is_brought AND (SELECT count(*) FROM recorded) >= 0
    ORDER BY issuer, end_to_end_id
  ) n CROSS JOIN LATERAL (
    SELECT p.issuer, p.end_to_end_id FROM @.payments p
    WHERE p.issuer = n.issuer AND p.end_to_end_id = n.end_to_end_id AND NOT p.settles
    FOR UPDATE
  ) e
),
returned AS (
  INSERT INTO @.returns (issuer, end_to_end_id, id, kind, amount_cents, returned_at)
  SELECT n.issuer, n.end_to_end_id, n.id, n.kind, n.amount_cents, to_timestamp(n.returned_at)
  FROM new_return n
  WHERE (SELECT count(*) FROM exception) >= 0
  ORDER BY n.issuer COLLATE "C", n.end_to_end_id COLLATE "C", n.id COLLATE "C"
  ON CONFLICT DO NOTHING
  RETURNING issuer, end_to_end_id
),
moved AS (
  UPDATE @.charges k SET
    state = c.state, version = c.version, updated_at = to_timestamp(c.updated_at),
    check_at = to_timestamp(c.check_at), settled_by = c.settled_by,
    refund_id = c.refund_id, refund_attempt = c.refund_attempt,
    refund_requested_at = to_timestamp(c.refund_requested_at), refund_unanswered = c.refund_unanswered,
    refund_rejection = c.refund_rejection, checks_ended_at = NULL, look_up_at = NULL, checked_until = NULL,
    refunded_at = to_timestamp(c.refunded_at), cancelled_at = to_timestamp(c.cancelled_at)${parted.set}
  FROM locked l JOIN change c ON c.issuer = l.issuer AND c.id = l.id
  WHERE ${lookUp({ "k.issuer": "l.issuer", "k.id": "l.id" })} AND l.may_move
    AND (NOT c.brings_settling OR EXISTS (
      SELECT 1 FROM recorded r WHERE r.issuer = c.issuer AND r.end_to_end_id = c.settled_by AND r.settles
    ))
  RETURNING k.issuer, k.id, k.version, k.updated_at, c.unsent
),
-- What was decided without a return that is new here is stale.
stale AS MATERIALIZED (
  SELECT l.issuer, l.id FROM locked l
  WHERE (l.issuer, l.settled_by) IN (SELECT issuer, end_to_end_id FROM returned)
    AND (l.issuer, l.id) NOT IN (SELECT issuer, id FROM moved)
),
staled AS (
  UPDATE @.charges k SET version = k.version + 1
  FROM stale s WHERE ${lookUp({ "k.issuer": "s.issuer", "k.id": "s.id" })}
),
staled_exception AS (
  UPDATE @.payments p SET exception_version = p.exception_version + 1
  FROM exception e
  WHERE ${lookUp({ "p.issuer": "e.issuer", "p.end_to_end_id": "e.end_to_end_id" })}
    AND (e.issuer, e.end_to_end_id) IN (SELECT issuer, end_to_end_id FROM returned)
),
queued AS (
  INSERT INTO @.deliveries (
    issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, queued_at, next_at
  )
  SELECT
    m.issuer, n.event_id, n.endpoint_id, n.event, n.kind, to_timestamp(n.occurred_at),
    m.id, m.version, m.updated_at, m.updated_at
  FROM json_to_recordset($4::json) AS n (
    issuer text, charge_id uuid, event_id text, endpoint_id text, event json, kind text, occurred_at float8
  )
  JOIN moved m ON m.issuer = n.issuer AND m.id = n.charge_id
  ORDER BY m.issuer, n.event_id COLLATE "C", n.endpoint_id COLLATE "C"
  ON CONFLICT DO NOTHING
),
unsent AS MATERIALIZED (
  SELECT d.issuer, d.event_id, d.endpoint_id, m.unsent, m.updated_at
  FROM (SELECT * FROM moved WHERE unsent IS NOT NULL ORDER BY issuer, id) m CROSS JOIN LATERAL (
    SELECT issuer, event_id, endpoint_id FROM @.deliveries
    WHERE issuer = m.issuer AND charge_id = m.id AND kind = 'paid'
    ORDER BY event_id, endpoint_id
    FOR UPDATE
  ) d
),
superseded AS (
  UPDATE @.deliveries d SET
    superseded_at = CASE u.unsent WHEN 'supersede' THEN u.updated_at END,
    queued_at = CASE u.unsent WHEN 'supersede' THEN d.queued_at ELSE u.updated_at END,
    next_at = CASE u.unsent WHEN 'supersede' THEN d.next_at ELSE u.updated_at END
  FROM unsent u
  WHERE ${lookUp({ "d.issuer": "u.issuer", "d.event_id": "u.event_id", "d.endpoint_id": "u.endpoint_id", "(d.superseded_at IS NULL)": "u.unsent = 'supersede'" })}
    -- Counted beforehand: where nothing is taken back, what waits isn't read, not even by a plan that was made for few rows.
    AND (SELECT count(*) FROM unsent) > 0
)${parted.parts}
SELECT m.issuer, m.id, NULL AS end_to_end_id, true AS fresh FROM moved m
UNION ALL
SELECT r.issuer, r.charge_id, r.end_to_end_id, r.fresh FROM recorded r`

/** For changes none of which has a partial refund, or is recorded in the audit log. */
export const commitCharges = repeatable(commitText({ set: "", parts: "" }))

/** The same for changes that have or are; $7 are the partial refunds, $8 the records of the audit log, each a JSON array. */
export const commitRecorded = repeatable(
  commitText({
    set: `, has_partial_refunds = k.has_partial_refunds OR (c.issuer, c.id) IN (
      SELECT n.issuer, n.charge_id FROM json_to_recordset($7::json) AS n (issuer text, charge_id uuid)
    )`,
    parts: `,
part AS MATERIALIZED (
  SELECT n.* FROM json_to_recordset($7::json) AS n (
    issuer text, charge_id uuid, key text, amount_cents bigint, requested_at float8, refund_id text,
    refund_attempt integer, refund_requested_at float8, refund_unanswered json, refund_rejection text
  )
  JOIN moved m ON m.issuer = n.issuer AND m.id = n.charge_id
),
parted AS (
  INSERT INTO @.partial_refunds AS p (
    issuer, charge_id, key, amount_cents, requested_at, refund_id, refund_attempt, refund_requested_at,
    refund_unanswered, refund_rejection
  )
  SELECT
    n.issuer, n.charge_id, n.key, n.amount_cents, to_timestamp(n.requested_at), n.refund_id, n.refund_attempt,
    to_timestamp(n.refund_requested_at), n.refund_unanswered, n.refund_rejection
  FROM part n
  ORDER BY n.issuer COLLATE "C", n.charge_id
  ON CONFLICT (issuer, charge_id, key) DO UPDATE SET
    amount_cents = excluded.amount_cents, refund_id = excluded.refund_id, refund_attempt = excluded.refund_attempt,
    refund_requested_at = excluded.refund_requested_at, refund_unanswered = excluded.refund_unanswered,
    refund_rejection = excluded.refund_rejection
),
audited AS (
  INSERT INTO @.audit_entries (issuer, actor, kind, details)
  SELECT n.issuer, n.actor, n.audit_kind, n.audit_details
  FROM json_to_recordset($8::json) AS n (
    issuer text, charge_id uuid, actor text, audit_kind text, audit_details json
  )
  JOIN moved m ON m.issuer = n.issuer AND m.id = n.charge_id
)`,
  }),
)
