import type { SchemaName } from "../SchemaName.ts"

/**
 * The attempt that ended a delivery is kept with it: most deliveries have no other. One that was settled before this
 * step, or is by a process of the release before, has it among the others.
 */
export const lastAttempts = (schema: SchemaName): string => `
ALTER TABLE ${schema}.settled_deliveries
  ADD COLUMN attempt_started_at timestamptz,
  ADD COLUMN attempt_latency_ms double precision,
  ADD COLUMN attempt_status integer,
  ADD COLUMN attempt_error text,
  ADD COLUMN attempt_answer text;
`
