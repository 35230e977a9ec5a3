import type { SchemaName } from "../../SchemaName.ts"

/** Until when payments of a pending charge were looked for; null where its next check asks about the charge itself. */
export const checkedUntil = (schema: SchemaName): string => `
ALTER TABLE ${schema}.charges ADD COLUMN checked_until timestamptz;
`
