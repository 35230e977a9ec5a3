import type { SchemaName } from "../SchemaName.ts"

/**
 * What a refund needs to know of calls without an answer, what ended a charge's checks, and how far each company was
 * compared with its processor. A refund that is under way now may have been called for at any moment since it was asked for.
 */
export const ledger = (schema: SchemaName): string => `
-- When the processor was called for the refund without an answer: a JSON array of epoch milliseconds.
ALTER TABLE ${schema}.charges ADD COLUMN refund_unanswered json;
UPDATE ${schema}.charges
SET refund_unanswered = json_build_array(round(date_part('epoch', refund_requested_at) * 1000))
WHERE state = 'refunding';
-- When its last check was made; absent while one is to come.
ALTER TABLE ${schema}.charges ADD COLUMN checks_ended_at timestamptz;
CREATE INDEX charges_checks_ended ON ${schema}.charges (checks_ended_at) WHERE checks_ended_at IS NOT NULL;

ALTER TABLE ${schema}.payments ADD COLUMN refund_unanswered json;
UPDATE ${schema}.payments
SET refund_unanswered = json_build_array(round(date_part('epoch', refund_requested_at) * 1000))
WHERE exception_state = 'refunding' AND NOT settles;
-- Why the processor did not carry the last refund of an open exception out.
ALTER TABLE ${schema}.payments ADD COLUMN refund_rejection text;

CREATE TABLE ${schema}.reconciliations (
  issuer               text COLLATE "C" NOT NULL PRIMARY KEY,
  -- When its first charge was created.
  since                timestamptz NOT NULL,
  -- All payments received before were listed.
  reconciled_until     timestamptz NOT NULL,
  -- Since when runs end with payments that could not be recorded.
  failing_since        timestamptz,
  -- The end of the period that is being listed, which list is read, and where its last page ended.
  run_until            timestamptz,
  run_list             text,
  run_cursor           text,
  run_has_failed       boolean NOT NULL DEFAULT false,
  -- Business time, like the lease.
  next_at              timestamptz NOT NULL,
  lease_token          uuid,
  lease_until          timestamptz
);
CREATE INDEX reconciliations_due ON ${schema}.reconciliations (next_at);
`
