import type { SchemaName } from "../../SchemaName.ts"

/** The closed days by which a charge's due date and fees are reckoned; null where a release before stored the charge. */
export const closedDays = (schema: SchemaName): string => `
ALTER TABLE ${schema}.charges ADD COLUMN closed_days json;
ALTER TABLE ${schema}.archived_texts ADD COLUMN closed_days json;
`
