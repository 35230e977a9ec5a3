import type { SchemaName } from "../../SchemaName.ts"

/**
 * The index from which a search within a period reads all names of it, and no row. It takes the place of one by name, so that an
 * insertion writes as many: names now go to the end of their company's part, and no more between older ones. A release that
 * knows nothing of it finds what it looks for, within its period, too.
 *
 * A host with many charges builds it before (docs/upgrading.md). While it is built here, charges are read: what locks readers out
 * comes last.
 */
export const searchesOfPeriods = (schema: SchemaName): string => `
CREATE INDEX IF NOT EXISTS archived_texts_by_creation
  ON ${schema}.archived_texts (issuer, created_at, id) INCLUDE (payer_name) WHERE payer_name IS NOT NULL;
DROP INDEX ${schema}.archived_texts_by_payer_name;
`
