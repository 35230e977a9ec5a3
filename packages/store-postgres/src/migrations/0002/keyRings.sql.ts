import type { SchemaName } from "../../SchemaName.ts"

/**
 * Digests of integrator keys are bound to their holder and name their pepper, sealed secrets name their sealing key, and
 * keys are no longer counted. A digest made before is bound to nobody, so that it is worth nothing: its holder needs a new
 * key. What was sealed before is read with the sealing key whose kid is `1`.
 */
export const keyRings = (schema: SchemaName): string => `
DELETE FROM ${schema}.credentials;
ALTER TABLE ${schema}.credentials
  DROP COLUMN version,
  ALTER COLUMN hmac SET NOT NULL,
  ADD COLUMN kid text NOT NULL;
ALTER TABLE ${schema}.endpoints ADD COLUMN kid text NOT NULL DEFAULT '1';
ALTER TABLE ${schema}.endpoints ALTER COLUMN kid DROP DEFAULT;
`
