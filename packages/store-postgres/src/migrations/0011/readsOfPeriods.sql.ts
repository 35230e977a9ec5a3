import type { SchemaName } from "../../SchemaName.ts"

/**
 * Indexes that answer for what figures count and lists look for within a period, so that no row outside of it is read. Each
 * begins as the one whose place it takes, which a release that knows nothing of it goes on by. What is archived keeps the
 * moment of its charge beside it; null of what was archived before.
 */
export const readsOfPeriods = (schema: SchemaName): string => `
DROP INDEX ${schema}.payments_by_moment;
CREATE INDEX payments_by_moment ON ${schema}.payments (issuer, paid_at, end_to_end_id)
  INCLUDE (amount_cents, settles, charge_id);
DROP INDEX ${schema}.returns_by_moment;
CREATE INDEX returns_by_moment ON ${schema}.returns (issuer, returned_at, end_to_end_id, id) INCLUDE (amount_cents);
DROP INDEX ${schema}.settled_deliveries_by_moment;
CREATE INDEX settled_deliveries_by_moment
  ON ${schema}.settled_deliveries (issuer, occurred_at DESC, event_id, endpoint_id) INCLUDE (status, attempts);

CREATE INDEX deliveries_waiting_by_moment
  ON ${schema}.deliveries (issuer, occurred_at DESC, event_id, endpoint_id) INCLUDE (attempts) WHERE superseded_at IS NULL;
CREATE INDEX deliveries_superseded_by_moment
  ON ${schema}.deliveries (issuer, occurred_at DESC, event_id, endpoint_id) INCLUDE (attempts)
  WHERE superseded_at IS NOT NULL;

ALTER TABLE ${schema}.archived_texts ADD COLUMN created_at timestamptz;
DROP INDEX ${schema}.archived_texts_by_payer;
CREATE INDEX archived_texts_by_payer ON ${schema}.archived_texts (issuer, payer_tax_id, created_at)
  WHERE payer_tax_id IS NOT NULL;
DROP INDEX ${schema}.charges_by_payer_name;
CREATE INDEX charges_by_payer_name
  ON ${schema}.charges (issuer, (${schema}.folded_name(payer_name) COLLATE "C"), created_at)
  WHERE payer_name IS NOT NULL;
DROP INDEX ${schema}.archived_texts_by_payer_name;
CREATE INDEX archived_texts_by_payer_name
  ON ${schema}.archived_texts (issuer, (${schema}.folded_name(payer_name) COLLATE "C"), created_at)
  WHERE payer_name IS NOT NULL;
`
