import type { SchemaName } from "../../SchemaName.ts"

/**
 * What makes a charge that of a recurrence's cycle. It has an empty `br_code`, with which the release before reads it, and no
 * check of its own while it is pending, so that this release never asks the bank about it.
 */
export const cycleCharges = (schema: SchemaName): string => `
ALTER TABLE ${schema}.charges
  ADD COLUMN recurrence_id uuid,
  ADD COLUMN cycle integer,
  ADD COLUMN generation integer,
  -- Contract, id of the recurrence at the bank, and the days of the debit.
  ADD COLUMN cycle_terms json,
  -- How far the debit has come.
  ADD COLUMN debit json;
CREATE INDEX charges_by_cycle ON ${schema}.charges (issuer, recurrence_id, cycle, generation)
  WHERE recurrence_id IS NOT NULL;
-- A cycle has one charge that is neither cancelled nor rejected, even if the code is wrong.
CREATE UNIQUE INDEX charges_one_by_cycle ON ${schema}.charges (issuer, recurrence_id, cycle)
  WHERE recurrence_id IS NOT NULL AND state <> 'cancelled' AND debit ->> 'status' IS DISTINCT FROM 'rejected';
-- Pending ones that the bank has given up.
CREATE INDEX charges_failed ON ${schema}.charges (issuer, created_at, id, payable_until)
  WHERE state = 'pending' AND debit ->> 'status' IN ('rejected', 'unpaid');
`
