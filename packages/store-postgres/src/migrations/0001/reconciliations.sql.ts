import type { SchemaName } from "../../SchemaName.ts"

/** How far each company was compared with its processor's list. */
export const reconciliations = (schema: SchemaName): string => `
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
