import type { SchemaName } from "../../SchemaName.ts"

/**
 * Indexes by which the records about a charge or an exception are found, a charge's further payments, and the exceptions of a
 * period. Payments that settle a charge are in none of them, and few records are.
 */
export const storiesAndExceptions = (schema: SchemaName): string => `
CREATE INDEX audit_log_of_charge ON ${schema}.audit_log (issuer, (details ->> 'chargeId'), at, id)
  WHERE details ->> 'chargeId' IS NOT NULL;
CREATE INDEX audit_log_of_exception ON ${schema}.audit_log (issuer, (details ->> 'endToEndId'), at, id)
  WHERE details ->> 'endToEndId' IS NOT NULL;

CREATE INDEX payments_exceptions ON ${schema}.payments (issuer, paid_at, end_to_end_id) WHERE NOT settles;
CREATE INDEX payments_exceptions_of_charge ON ${schema}.payments (issuer, charge_id)
  WHERE NOT settles AND charge_id IS NOT NULL;
CREATE INDEX payments_exceptions_by_txid ON ${schema}.payments (issuer, txid) WHERE NOT settles AND txid IS NOT NULL;
`
