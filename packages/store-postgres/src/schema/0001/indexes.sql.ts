/**
 * The comment above each index names the statements of `src` that read it. Primary keys serve searchCharges by a payer,
 * exportPayer and erasePayer (`charge_texts`), and listDeliveries, countCharges and purgeDeliveries (`settled_deliveries`).
 */
export const indexes = `
-- searchCharges, countCharges (state, end and transaction id from the index itself), enterCompanies, wakeCompanies.
CREATE INDEX charges_by_creation ON @.charges (issuer, created_at, id, state, payable_until, transaction_id);
-- claimCharges, lookForWork: what is due.
CREATE INDEX charges_to_check ON @.charges (check_at) WHERE check_at IS NOT NULL;
-- claimCharges, lookForWork: what a clock that ran ahead may have ended,
CREATE INDEX charges_checks_ended ON @.charges (checks_ended_at) WHERE checks_ended_at IS NOT NULL;
-- and what it may have postponed: an unpaid charge is checked until its watch ends, and no longer.
CREATE INDEX charges_ahead ON @.charges (check_at)
  WHERE check_at IS NOT NULL AND (state <> 'pending' OR check_at - watch_until > interval '25 hours');
-- waitingCharges.
CREATE INDEX charges_waiting ON @.charges (issuer, created_at, id)
  WHERE state = 'pending' AND check_at IS NOT NULL AND look_up_at IS NULL;
-- listCycleCharges, findLastCharge, findOpenCharges.
CREATE INDEX charges_by_cycle ON @.charges (issuer, recurrence_id, cycle, generation) WHERE recurrence_id IS NOT NULL;
-- commitRecurrence: a cycle has one charge that is neither cancelled nor rejected, even if the code is wrong.
CREATE UNIQUE INDEX charges_one_by_cycle ON @.charges (issuer, recurrence_id, cycle)
  WHERE recurrence_id IS NOT NULL AND state <> 'cancelled' AND debit ->> 'status' IS DISTINCT FROM 'rejected';
-- countCharges, searchCharges: pending ones that the bank has given up.
CREATE INDEX charges_failed ON @.charges (issuer, created_at, id, payable_until)
  WHERE state = 'pending' AND debit ->> 'status' IN ('rejected', 'unpaid');

-- searchCharges by a reference.
CREATE INDEX charge_texts_by_reference ON @.charge_texts (issuer, reference, created_at) WHERE reference IS NOT NULL;
-- exportPayer, erasePayer: a payer whom other terms name.
CREATE INDEX charge_texts_changed ON @.charge_texts (issuer) WHERE terms_rows IS NOT NULL;

-- listPayments, searchCharges (paid within a period, or an amount), countCharges (amounts from the index itself).
CREATE INDEX payments_by_moment ON @.payments (issuer, paid_at, end_to_end_id) INCLUDE (amount_cents, settles, charge_id);
-- openExceptions, countCharges.
CREATE INDEX payments_open ON @.payments (issuer, paid_at, end_to_end_id)
  WHERE NOT settles AND exception_state IN ('open', 'refunding');
-- searchExceptions.
CREATE INDEX payments_exceptions ON @.payments (issuer, paid_at, end_to_end_id) WHERE NOT settles;
-- chargeExceptions, by the charge
CREATE INDEX payments_exceptions_of_charge ON @.payments (issuer, charge_id) WHERE NOT settles AND charge_id IS NOT NULL;
-- and by its txid.
CREATE INDEX payments_exceptions_by_txid ON @.payments (issuer, txid) WHERE NOT settles AND txid IS NOT NULL;
-- claimExceptions, lookForWork.
CREATE INDEX payments_refund_checks ON @.payments (refund_check_at) WHERE NOT settles AND exception_state = 'refunding';

-- listReturns, countCharges (amounts from the index itself).
CREATE INDEX returns_by_moment ON @.returns (issuer, returned_at, end_to_end_id, id) INCLUDE (amount_cents);

-- insertRecurrence: a contract of a company has one recurrence. listRecurrences by a text; findBankIdsOfOthers.
CREATE UNIQUE INDEX recurrences_by_contract ON @.recurrences (contract, issuer);
-- scheduleNamed; no two recurrences are one at the bank.
CREATE UNIQUE INDEX recurrences_by_bank_id ON @.recurrences (issuer, bank_id) WHERE bank_id IS NOT NULL;
-- listRecurrences.
CREATE INDEX recurrences_by_creation ON @.recurrences (issuer, created_at, id);
-- erasePayer, listRecurrences by a payer.
CREATE INDEX recurrences_by_payer ON @.recurrences (issuer, payer_tax_id) WHERE payer_tax_id IS NOT NULL;
-- findOffer.
CREATE INDEX recurrences_by_offer ON @.recurrences (issuer, (terms #>> '{journey,chargeId}'))
  WHERE state <> 'ended' AND terms #>> '{journey,chargeId}' IS NOT NULL;
-- claimRecurrences, lookForWork.
CREATE INDEX recurrences_to_check ON @.recurrences (check_at) WHERE check_at IS NOT NULL;

-- claimReconciliation, lookForWork: whose turn has come,
CREATE INDEX reconciliations_due ON @.reconciliations (LEAST(next_at, wake_at));
-- and what a clock that ran ahead has left; but for that, a wake while its company is swept is in it.
CREATE INDEX reconciliations_ahead ON @.reconciliations (GREATEST(reconciled_until, wake_at))
  WHERE GREATEST(reconciled_until, wake_at) > next_at;

-- claimFromHead, lookForWork.
CREATE INDEX deliveries_due ON @.deliveries (next_at) WHERE superseded_at IS NULL;
-- claimByQueue, readQueues, measureQueue.
CREATE INDEX deliveries_due_by_queue ON @.deliveries (endpoint_id, issuer, next_at) WHERE superseded_at IS NULL;
-- Whether an earlier delivery of the charge waits (claims, readQueues), supersedeDeliveries, commitCharges, listDeliveries of a charge.
CREATE INDEX deliveries_of_charge ON @.deliveries (issuer, charge_id, endpoint_id, position) WHERE charge_id IS NOT NULL;
-- purgeDeliveries.
CREATE INDEX deliveries_superseded ON @.deliveries (superseded_at) WHERE superseded_at IS NOT NULL;
-- listDeliveries, countCharges: those that wait,
CREATE INDEX deliveries_waiting_by_moment ON @.deliveries (issuer, occurred_at, event_id, endpoint_id)
  INCLUDE (attempts) WHERE superseded_at IS NULL;
-- and those that were superseded.
CREATE INDEX deliveries_superseded_by_moment ON @.deliveries (issuer, occurred_at, event_id, endpoint_id)
  INCLUDE (attempts) WHERE superseded_at IS NOT NULL;
-- listAttempts, replayDeliveries of an event, addDelivery. A hash is the shortest entry.
CREATE INDEX settled_deliveries_by_event ON @.settled_deliveries USING hash (event_id);
-- listDeliveries and replayDeliveries, of dead letters.
CREATE INDEX settled_deliveries_dead ON @.settled_deliveries (issuer, occurred_at, event_id, endpoint_id) WHERE status = 'dead';
-- listDeliveries and replayDeliveries, of a charge.
CREATE INDEX settled_deliveries_of_charge ON @.settled_deliveries (charge_id) WHERE charge_id IS NOT NULL;

-- listAuditLog of a charge
CREATE INDEX audit_log_of_charge ON @.audit_log (issuer, (details ->> 'chargeId'), at, id)
  WHERE details ->> 'chargeId' IS NOT NULL;
-- and of an exception.
CREATE INDEX audit_log_of_exception ON @.audit_log (issuer, (details ->> 'endToEndId'), at, id)
  WHERE details ->> 'endToEndId' IS NOT NULL;

-- findCompanyByPixKey; no two companies have one key.
CREATE UNIQUE INDEX companies_by_pix_key ON @.companies (pix_key);
-- findEndpoints, removeCallback.
CREATE INDEX endpoints_by_owner ON @.endpoints (owner);
`
