import type { SchemaName } from "../../SchemaName.ts"

/** Why the company returned the money, as the payer may read it; null where it said nothing, or the payer was erased. */
export const refundReasons = (schema: SchemaName): string => `
ALTER TABLE ${schema}.charges ADD COLUMN refund_reason text;
ALTER TABLE ${schema}.payments ADD COLUMN refund_reason text;
ALTER TABLE ${schema}.partial_refunds ADD COLUMN refund_reason text;
`
