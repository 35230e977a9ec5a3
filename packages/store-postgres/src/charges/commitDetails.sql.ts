import { deliveryColumns, isUnsettled } from "../outbox/DeliveryRow.ts"
import { positionAt } from "../outbox/position.sql.ts"
import { partialRefundColumns } from "./chargeColumns.sql.ts"
import { changedTexts } from "./termsRows.ts"

const newPartialRefund = `new_partial_refund AS MATERIALIZED (
  SELECT n.*, m.payer_erased_at
  FROM json_to_recordset($7::json) AS n (issuer text, charge_id uuid, ${partialRefundColumns.recordset})
  JOIN moved_charge m ON m.issuer = n.issuer AND m.id = n.charge_id
)`

/** An erased payer's reason isn't stored. */
const storedPartialRefund = `stored_partial_refund AS (
  INSERT INTO @.partial_refunds (issuer, charge_id, ${partialRefundColumns.names})
  SELECT n.issuer, n.charge_id, ${partialRefundColumns.given("n", "n")}
  FROM new_partial_refund n
  ORDER BY n.issuer COLLATE "C", n.charge_id
  ON CONFLICT (issuer, charge_id, key) DO UPDATE SET
    ${partialRefundColumns.excluded}
)`

const newException = `new_exception AS MATERIALIZED (
  SELECT issuer, end_to_end_id, recorded_at FROM recorded_payment WHERE fresh AND NOT settles
  UNION ALL
  SELECT issuer, end_to_end_id, recorded_at FROM replaced_payment
)`

/** The reason follows from the charge after the move. */
const queuedException = `queued_exception AS (
  INSERT INTO @.deliveries (issuer, charge_id, ${deliveryColumns.names}, position, queued_at, next_at)
  SELECT
    n.issuer, n.charge_id, ${deliveryColumns.given("n")},
    ${positionAt("coalesce(m.version, l.version)")},
    coalesce(m.updated_at, e.recorded_at), coalesce(m.updated_at, e.recorded_at)
  FROM json_to_recordset($9::json) AS n (
    issuer text, charge_id uuid, end_to_end_id text, reason text, ${deliveryColumns.recordset}
  )
  JOIN new_exception e ON e.issuer = n.issuer AND e.end_to_end_id = n.end_to_end_id
  JOIN locked_charge l ON l.issuer = n.issuer AND l.id = n.charge_id
  LEFT JOIN moved_charge m ON m.issuer = n.issuer AND m.id = n.charge_id
  WHERE (n.reason = 'cancelledCharge') = (coalesce(m.state, l.state) = 'cancelled') AND ${isUnsettled()}
  ORDER BY n.issuer, n.event_id COLLATE "C", n.endpoint_id COLLATE "C"
  ON CONFLICT DO NOTHING
)`

const auditRecord = `audit_record AS (
  INSERT INTO @.audit_entries (issuer, actor, kind, details)
  SELECT n.issuer, n.actor, n.audit_kind, n.audit_details
  FROM json_to_recordset($8::json) AS n (
    issuer text, charge_id uuid, actor text, audit_kind text, audit_details json
  )
  JOIN moved_charge m ON m.issuer = n.issuer AND m.id = n.charge_id
)`

export const commitDetails = [
  newPartialRefund,
  storedPartialRefund,
  changedTexts,
  newException,
  queuedException,
  auditRecord,
]
