import type { SchemaName } from "../../SchemaName.ts"

/**
 * What sweeps of companies keep, and how charges that wait for a payment are found. A release that knows nothing of it goes on
 * beside: it reads `checked_until`, which is only cleared from here on, and carries on a list of what was received.
 */
export const sweeps = (schema: SchemaName): string => `
-- Charges are written without their texts, which nothing moves any more; the release before does without it, more slowly.
DROP INDEX ${schema}.charges_to_archive;

-- When a pending charge is looked up itself; null once it has been due, which wakes its company.
ALTER TABLE ${schema}.charges ADD COLUMN look_up_at timestamptz;
CREATE INDEX charges_waiting ON ${schema}.charges (issuer, created_at, id)
  WHERE state = 'pending' AND check_at IS NOT NULL AND look_up_at IS NULL;
-- Checks that a clock which ran ahead may have set: of an unpaid charge, only after its watch.
CREATE INDEX charges_ahead ON ${schema}.charges (check_at)
  WHERE check_at IS NOT NULL AND (state <> 'pending' OR check_at - watch_until > interval '25 hours');

ALTER TABLE ${schema}.reconciliations
  -- Its turn comes then if it is sooner than next_at.
  ADD COLUMN wake_at timestamptz,
  ADD COLUMN looked_up_from timestamptz,
  ADD COLUMN looked_up_until timestamptz,
  -- The list of older payments of which something went back; run_until and what follows it is the list of what was received.
  -- Null where the release before entered the company: a day after its first charge.
  ADD COLUMN returns_due_at timestamptz,
  ADD COLUMN returns_run_until timestamptz,
  ADD COLUMN returns_run_cursor text,
  ADD COLUMN returns_run_has_failed boolean;
DROP INDEX ${schema}.reconciliations_due;
CREATE INDEX reconciliations_due ON ${schema}.reconciliations (LEAST(next_at, wake_at));
-- What only a clock that ran ahead leaves; but for that, a wake while its company is swept is in it.
CREATE INDEX reconciliations_ahead ON ${schema}.reconciliations (GREATEST(reconciled_until, wake_at))
  WHERE GREATEST(reconciled_until, wake_at) > next_at;
`
