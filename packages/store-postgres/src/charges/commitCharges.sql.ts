import { lookUp, repeatable, runsAfter } from "../sql/Sql.ts"
import { deliveryColumns, eventFacts } from "../outbox/DeliveryRow.ts"
import { positionAt } from "../outbox/position.sql.ts"
import { moveColumns, withoutShopTexts } from "./chargeColumns.sql.ts"
import { paymentColumns, returnColumns } from "./ChargeRow.ts"
import { commitDetails } from "./commitDetails.sql.ts"
import { isNewReturn } from "./findCharges.sql.ts"
import { changedFacts } from "./termsRows.ts"

// One statement commits charges, step by step. Each step begins after the steps whose arrows lead to it. Therefore rows are
// locked table by table (charges, payments, returns, deliveries), each in key order, and batches can't deadlock. A step sees
// another step's returned rows, but not its writes.
//
//   change ─► locked_charge ─► recorded_payment ─► locked_exception ─► recorded_return ─► bumped_charge, bumped_exception
//                                     │                                                    (unless moved)
//                                     └─► moved_charge ─► replaced_payment
//                                              ├─► queued_delivery, unsent_delivery ─► updated_delivery
//                                              └─► stored_partial_refund, changed_texts, queued_exception, audit_record
//                                                  (only in `commitRecorded`)
//
// Example: payment E1 of a pending charge at version 1 is confirmed.
//
// - `change` has one row: it expects version 1 and makes the charge `paid` at version 2, settled by E1.
//   `locked_charge` has `may_move`.
// - `recorded_payment` inserts E1 as settling and fresh. A trigger of `payments` records the company in `payment_owners`.
// - `moved_charge` updates the row of `charges`: state, `settled_by`, version 2, no next check.
// - `queued_delivery` inserts the event `paid` at position 8. All other steps have no row.
// - The answer has two rows: the charge moved, and it holds E1, which is fresh.
//
// After a concurrent cancellation, `may_move` would be false and E1 an exception. Sending the statement again changes only the
// `repeats` of E1.

const lockLimit = `lock_limit AS MATERIALIZED (SELECT set_config('lock_timeout', $5, true))`

const change = (alsoGiven = "") => `change AS MATERIALIZED (
  SELECT c.* FROM lock_limit, json_to_recordset($1::json) AS c (
    issuer text, id uuid, expected integer, only_at_version boolean, moves boolean, brings_settling boolean, known_returns json,
    unsent text, state text, settled_by text, ${moveColumns.recordset}${alsoGiven}
  )
)`

/**
 * `may_move` says whether the charge allows the move.
 *
 * A move that supersedes deliveries requires the row (`ctid`) of the snapshot, because the snapshot hides a replay's later
 * deliveries. A move with its settling payment must know all returns of that payment.
 */
const lockedCharge = `locked_charge AS MATERIALIZED (
  SELECT k.issuer, k.id, k.version, k.state, k.settled_by, k.payer_erased_at, k.reference_kept,
    c.moves AND k.version = c.expected AND (c.unsent IS DISTINCT FROM 'supersede' OR k.ctid = (
      SELECT seen.ctid FROM @.charges seen WHERE seen.issuer = c.issuer AND seen.id = c.id
    )) AND NOT (c.brings_settling AND EXISTS (
      SELECT 1 FROM @.returns r
      WHERE r.issuer = c.issuer AND r.end_to_end_id = c.settled_by
        AND r.id NOT IN (SELECT json_array_elements_text(c.known_returns))
    )) AS may_move
  FROM (SELECT * FROM change ORDER BY issuer COLLATE "C", id) c CROSS JOIN LATERAL (
    SELECT issuer, id, version, state, settled_by, payer_erased_at, reference_kept, ctid FROM @.charges
    WHERE issuer = c.issuer AND id = c.id
    FOR UPDATE
  ) k
)`

const unrecordedReturn = `unrecorded_return AS MATERIALIZED (
  SELECT n.* FROM json_to_recordset($3::json) AS n (${returnColumns.recordset}, is_brought boolean)
  WHERE ${isNewReturn}
)`

/**
 * Inserts the payments $2, or adopts payments that are recorded as unmatched. Returns the payments that their charge now holds.
 *
 * A payment settles only a charge that can move, and only if its row hasn't changed since the snapshot: a later return raises
 * `exception_version`. A payment isn't adopted while its refund can still be executed.
 */
const recordedPayment = `recorded_payment AS (
  INSERT INTO @.payments AS p (${paymentColumns.names}, settles, exception_version)
  SELECT
    ${paymentColumns.given("n")},
    coalesce(l.may_move AND c.settled_by = n.end_to_end_id, false),
    CASE WHEN (n.issuer, n.end_to_end_id) IN (SELECT issuer, end_to_end_id FROM unrecorded_return) THEN 1 ELSE 0 END
  FROM json_to_recordset($2::json) AS n (${paymentColumns.recordset})
  JOIN change c ON c.issuer = n.issuer AND c.id = n.charge_id
  LEFT JOIN locked_charge l ON l.issuer = n.issuer AND l.id = n.charge_id
  WHERE ${runsAfter("locked_charge")} AND (c.only_at_version IS NOT TRUE OR l.may_move)
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
    OR (p.charge_id IS NULL AND p.exception_state IN ('open', 'refunded') AND coalesce(
      to_timestamp((p.refund_unanswered ->> -1)::float8 / 1000) < excluded.recorded_at - $6::float8 * interval '1 ms', true
    ))
  RETURNING p.issuer, p.end_to_end_id, p.charge_id, p.settles, p.repeats = 0 AS fresh, p.recorded_at
)`

/** If the change also brings the return's payment, the return counts only if the charge holds that payment. */
const newReturn = `new_return AS MATERIALIZED (
  SELECT n.* FROM unrecorded_return n
  WHERE NOT n.is_brought OR (n.issuer, n.end_to_end_id) IN (SELECT issuer, end_to_end_id FROM recorded_payment)
)`

/** Skips payments that this statement inserts, because a statement can write a row only once. */
const lockedException = `locked_exception AS MATERIALIZED (
  SELECT e.issuer, e.end_to_end_id FROM (
    SELECT DISTINCT issuer, end_to_end_id FROM new_return
    WHERE NOT is_brought AND ${runsAfter("recorded_payment")}
    ORDER BY issuer, end_to_end_id
  ) n CROSS JOIN LATERAL (
    SELECT p.issuer, p.end_to_end_id FROM @.payments p
    WHERE p.issuer = n.issuer AND p.end_to_end_id = n.end_to_end_id AND NOT p.settles
    FOR UPDATE
  ) e
)`

const recordedReturn = `recorded_return AS (
  INSERT INTO @.returns (${returnColumns.names})
  SELECT ${returnColumns.given("n")}
  FROM new_return n
  WHERE ${runsAfter("locked_exception")}
  ORDER BY n.issuer COLLATE "C", n.end_to_end_id COLLATE "C", n.id COLLATE "C"
  ON CONFLICT DO NOTHING
  RETURNING issuer, end_to_end_id, id
)`

/** A move with its settling payment requires that the payment was recorded as settling. */
const movedCharge = (alsoSet = "") => `moved_charge AS (
  UPDATE @.charges k SET
    state = c.state, settled_by = c.settled_by, ${moveColumns.set("c", "k")},
    checks_ended_at = NULL, look_up_at = NULL${alsoSet}
  FROM locked_charge l JOIN change c ON c.issuer = l.issuer AND c.id = l.id
  WHERE ${lookUp({ "k.issuer": "l.issuer", "k.id": "l.id" })} AND l.may_move
    AND (NOT c.brings_settling OR EXISTS (
      SELECT 1 FROM recorded_payment r WHERE r.issuer = c.issuer AND r.end_to_end_id = c.settled_by AND r.settles
    ))
  RETURNING
    k.issuer, k.id, k.version, k.state, k.updated_at, k.payer_erased_at, k.reference_kept, k.settled_by, c.unsent
)`

const replacedPayment = `replaced_payment AS (
  UPDATE @.payments p SET settles = false, exception_version = p.exception_version + 1
  FROM (
    SELECT l.issuer, l.settled_by FROM moved_charge m JOIN locked_charge l ON l.issuer = m.issuer AND l.id = m.id
    WHERE l.settled_by <> m.settled_by
  ) r
  WHERE ${lookUp({ "p.issuer": "r.issuer", "p.end_to_end_id": "r.settled_by" })}
  RETURNING p.issuer, p.end_to_end_id, p.recorded_at
)`

const staleCharge = `stale_charge AS MATERIALIZED (
  SELECT
    l.issuer, l.id, l.state, l.settled_by, l.payer_erased_at, l.reference_kept, c.updated_at,
    l.version + coalesce(c.version - c.expected, 1) AS next_version
  FROM locked_charge l JOIN change c ON c.issuer = l.issuer AND c.id = l.id
  WHERE (l.issuer, l.settled_by) IN (SELECT issuer, end_to_end_id FROM recorded_return)
    AND (l.issuer, l.id) NOT IN (SELECT issuer, id FROM moved_charge)
)`

/** Decisions made without the new return are stale. Raises the version once for each event, as the move would. */
const bumpedCharge = `bumped_charge AS (
  UPDATE @.charges k SET version = s.next_version
  FROM stale_charge s
  WHERE ${lookUp({ "k.issuer": "s.issuer", "k.id": "s.id" })}
)`

const bumpedException = `bumped_exception AS (
  UPDATE @.payments p SET exception_version = p.exception_version + 1
  FROM locked_exception e
  WHERE ${lookUp({ "p.issuer": "e.issuer", "p.end_to_end_id": "e.end_to_end_id" })}
    AND (e.issuer, e.end_to_end_id) IN (SELECT issuer, end_to_end_id FROM recorded_return)
)`

/**
 * Without a move, queues the event of a return that this statement records of the settling payment. Queues no part during a
 * refund. The payer can have been erased since the decision.
 */
const queuedDelivery = `queued_delivery AS (
  INSERT INTO @.deliveries (issuer, charge_id, ${eventFacts.names}, event, position, queued_at, next_at)
  SELECT
    m.issuer, m.id, ${eventFacts.given("n")},
    CASE WHEN m.payer_erased_at IS NULL OR m.reference_kept THEN n.event ELSE ${withoutShopTexts("n.event")} END,
    ${positionAt("(m.version - n.later)")}, m.updated_at, m.updated_at
  FROM json_to_recordset($4::json) AS n (
    issuer text, charge_id uuid, later integer, ${deliveryColumns.recordset}
  )
  JOIN (
    SELECT issuer, id, version, state, updated_at, payer_erased_at, reference_kept, NULL AS settled_by FROM moved_charge
    UNION ALL
    SELECT
      s.issuer, s.id, s.next_version, s.state, to_timestamp(s.updated_at), s.payer_erased_at, s.reference_kept, s.settled_by
    FROM stale_charge s
  ) m ON m.issuer = n.issuer AND m.id = n.charge_id
  WHERE NOT (n.kind = 'part-refunded' AND m.state = 'refunding') AND (m.settled_by IS NULL OR (
    n.kind = 'part-refunded' AND m.settled_by = n.event #>> '{payment,endToEndId}'
    AND (n.issuer, m.settled_by, lower((n.event #>> '{part,id}') COLLATE "C")) IN (
      SELECT issuer, end_to_end_id, lower(id) FROM recorded_return
    )
  ))
  ORDER BY m.issuer, n.event_id COLLATE "C", n.endpoint_id COLLATE "C"
  ON CONFLICT DO NOTHING
)`

const unsentDelivery = `unsent_delivery AS MATERIALIZED (
  SELECT d.issuer, d.event_id, d.endpoint_id, m.unsent, m.updated_at
  FROM (SELECT * FROM moved_charge WHERE unsent IS NOT NULL ORDER BY issuer, id) m CROSS JOIN LATERAL (
    SELECT issuer, event_id, endpoint_id FROM @.deliveries
    WHERE issuer = m.issuer AND charge_id = m.id AND kind = 'paid'
    ORDER BY event_id, endpoint_id
    FOR UPDATE
  ) d
)`

/** Postgres evaluates the count first. If it's 0, no plan reads the waiting deliveries. */
const updatedDelivery = `updated_delivery AS (
  UPDATE @.deliveries d SET
    superseded_at = CASE u.unsent WHEN 'supersede' THEN u.updated_at END,
    queued_at = CASE u.unsent WHEN 'supersede' THEN d.queued_at ELSE u.updated_at END,
    next_at = CASE u.unsent WHEN 'supersede' THEN d.next_at ELSE u.updated_at END
  FROM unsent_delivery u
  WHERE ${lookUp({ "d.issuer": "u.issuer", "d.event_id": "u.event_id", "d.endpoint_id": "u.endpoint_id", "(d.superseded_at IS NULL)": "u.unsent = 'supersede'" })}
    AND (SELECT count(*) FROM unsent_delivery) > 0
)`

const commit = (given: string, moved: string, ...details: ReadonlyArray<string>) => {
  const steps = [
    lockLimit,
    given,
    lockedCharge,
    unrecordedReturn,
    recordedPayment,
    newReturn,
    lockedException,
    recordedReturn,
    moved,
    replacedPayment,
    staleCharge,
    bumpedCharge,
    bumpedException,
    queuedDelivery,
    unsentDelivery,
    updatedDelivery,
    ...details,
  ]
  return repeatable(`
WITH ${steps.map((step) => `\n${step}`).join(",")}
SELECT m.issuer, m.id, NULL AS end_to_end_id, true AS fresh FROM moved_charge m
UNION ALL
SELECT r.issuer, r.charge_id, r.end_to_end_id, r.fresh FROM recorded_payment r`)
}

/**
 * Moves charges by compare-and-set, and records their payments and returns. `commitRecorded` takes further details.
 *
 * JSON arrays: $1 changes, $2 their payments, $3 their returns, $4 their deliveries. $5 is the lock time-out, such as `200ms`; $6
 * is `lateRefundMs`. A batch names each charge and each payment once, because a step doesn't see another step's writes. A change
 * with `only_at_version` records payments only if it moves. A new return raises a version even if the change is stale.
 *
 * Returns a row for each moved charge, and a row for each payment of its charge, `fresh` if it is new there.
 */
export const commitCharges = commit(change(), movedCharge())

/**
 * `commitCharges` for changes with partial refunds, $7, audit records, $8, deliveries of exceptions, $9, or rows of terms with the
 * charge's texts, $10, each a JSON array.
 */
export const commitRecorded = commit(
  change(`, ${changedFacts.recordset}`),
  movedCharge(`, ${changedFacts.setIfAny("c", "k")}, has_partial_refunds = k.has_partial_refunds OR (c.issuer, c.id) IN (
      SELECT n.issuer, n.charge_id FROM json_to_recordset($7::json) AS n (issuer text, charge_id uuid)
    )`),
  ...commitDetails,
)
