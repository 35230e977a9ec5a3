import type { SchemaName } from "../SchemaName.ts"

/**
 * When the refund of an exception is to be asked about next. Absent for one that was asked for before this step, or is by
 * a process of the release before: then since it was asked for.
 */
export const refundChecks = (schema: SchemaName): string => `
ALTER TABLE ${schema}.payments ADD COLUMN refund_check_at timestamptz;
DROP INDEX ${schema}.payments_refunding;
CREATE INDEX payments_refund_checks ON ${schema}.payments ((coalesce(refund_check_at, refund_requested_at)))
  WHERE NOT settles AND exception_state = 'refunding';
`
