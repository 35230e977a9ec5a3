/** An instant as seconds since the epoch, or an interval as seconds, exact to the microsecond: a number, because drivers differ in how they parse dates. */
export const seconds = (column: string): string => `date_part('epoch', ${column})`

/** A payment's columns, of the table under this alias, each under `prefix`. */
export const paymentColumns = (alias: string, prefix: string): string =>
  [
    `${alias}.issuer AS ${prefix}issuer`,
    `${alias}.end_to_end_id AS ${prefix}end_to_end_id`,
    `${alias}.txid AS ${prefix}txid`,
    `${alias}.charge_id AS ${prefix}charge_id`,
    `${alias}.amount_cents AS ${prefix}amount_cents`,
    `${seconds(`${alias}.paid_at`)} AS ${prefix}paid_at`,
    `${seconds(`${alias}.recorded_at`)} AS ${prefix}recorded_at`,
    `${alias}.late AS ${prefix}late`,
    `${alias}.other_amount AS ${prefix}other_amount`,
  ].join(", ")

/** The returns of one payment, oldest first, as a JSON array. */
export const paymentReturns = (issuer: string, endToEndId: string): string => `(
    SELECT json_agg(json_build_array(r.id, r.kind, r.amount_cents, ${seconds("r.returned_at")}) ORDER BY r.returned_at, r.id)::text
    FROM @.returns r
    WHERE r.issuer = ${issuer} AND r.end_to_end_id = ${endToEndId}
  )`

/** What was returned of payment `p`, in cents. */
export const returnedCents = `(
    SELECT coalesce(sum(r.amount_cents), 0) FROM @.returns r
    WHERE r.issuer = p.issuer AND r.end_to_end_id = p.end_to_end_id
  )`

/** The partial refunds of one charge, oldest request first, as a JSON array. */
const chargePartialRefunds = (issuer: string, id: string): string => `(
    SELECT json_agg(json_build_object(
      'key', f.key, 'amount_cents', f.amount_cents, 'requested_at', ${seconds("f.requested_at")},
      'refund_id', f.refund_id, 'refund_attempt', f.refund_attempt,
      'refund_requested_at', ${seconds("f.refund_requested_at")},
      'refund_unanswered', f.refund_unanswered::text, 'refund_rejection', f.refund_rejection,
      'refund_reason', f.refund_reason
    ) ORDER BY f.requested_at, f.key)::text
    FROM @.partial_refunds f
    WHERE f.issuer = ${issuer} AND f.charge_id = ${id}
  )`

/** What makes charge `c` that of a cycle, as JSON. */
const cycleFacts = `json_build_object(
    'recurrenceId', c.recurrence_id, 'cycle', c.cycle, 'generation', c.generation, 'terms', c.cycle_terms, 'debit', c.debit
  )::text`

/** Whether the bank has given up the debit of the charge under this alias; null for a charge that is no cycle's. */
export const isGivenUp = (alias: string): string => `${alias}.debit ->> 'status' IN ('rejected', 'unpaid')`

/** All that makes a charge, for a query over charges `c` with `chargeJoins`. */
export const chargeColumns = `
  c.issuer, c.id, c.transaction_id, c.amount_cents, to_char(c.due_date, 'YYYY-MM-DD') AS due_date,
  a.payer_name, a.payer_tax_id, a.message_to_payer, a.additional_info::text AS additional_info, a.fees::text AS fees,
  a.closed_days::text AS closed_days, a.br_code, c.state, c.version,
  ${seconds("c.payer_erased_at")} AS payer_erased_at,
  ${seconds("c.created_at")} AS created_at,
  ${seconds("c.payable_until")} AS payable_until,
  ${seconds("c.watch_until")} AS watch_until,
  ${seconds("c.updated_at")} AS updated_at,
  ${seconds("c.check_at")} AS check_at,
  ${seconds("c.look_up_at")} AS look_up_at,
  c.refund_id, c.refund_attempt, c.refund_rejection, c.refund_reason, c.refund_unanswered::text AS refund_unanswered,
  ${seconds("c.refund_requested_at")} AS refund_requested_at,
  ${seconds("c.refunded_at")} AS refunded_at,
  ${seconds("c.cancelled_at")} AS cancelled_at,
  ${paymentColumns("p", "p_")},
  CASE WHEN c.settled_by IS NOT NULL THEN ${paymentReturns("c.issuer", "c.settled_by")} END AS returns,
  CASE WHEN c.has_partial_refunds THEN ${chargePartialRefunds("c.issuer", "c.id")} END AS partial_refunds,
  CASE WHEN c.recurrence_id IS NOT NULL THEN ${cycleFacts} END AS cycle_facts`

/**
 * Joins charges `c` with the payment that settled each, and with its texts. LIMIT keeps the planner from making a join of
 * either look-up; that of a payment is skipped for a charge that none has settled.
 */
export const chargeJoins = `
LEFT JOIN LATERAL (
  SELECT * FROM @.payments q
  WHERE c.settled_by IS NOT NULL AND q.issuer = c.issuer AND q.end_to_end_id = c.settled_by
  LIMIT 1
) p ON true
LEFT JOIN LATERAL (
  SELECT t.payer_name, t.payer_tax_id, t.message_to_payer, t.additional_info, t.fees, t.closed_days, t.br_code FROM @.charge_texts t
  WHERE t.issuer = c.issuer AND t.id = c.id
  LIMIT 1
) a ON true`
