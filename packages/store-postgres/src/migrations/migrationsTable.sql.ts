import { repeatable } from "../database/Sql.ts"
import type { SchemaName } from "../SchemaName.ts"
import type { Migration } from "./migrations.ts"

/** The table that says which steps a schema has; `readable_from` came later than the rest. */
export const createTable = (schema: SchemaName): string => `
CREATE TABLE IF NOT EXISTS ${schema}.migrations (
  version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE ${schema}.migrations ADD COLUMN IF NOT EXISTS readable_from integer;`

/** Records that a step was taken. */
export const recordStep = (schema: SchemaName, { version, name, readableFrom = version }: Migration): string =>
  `INSERT INTO ${schema}.migrations (version, name, readable_from) VALUES (${version}, '${name}', ${readableFrom});`

/** Reads the column through JSON, because it may not be there. */
export const findSchema = repeatable(`
SELECT coalesce(max(version), 0) AS version,
  coalesce(max(coalesce((to_jsonb(step) ->> 'readable_from')::integer, version)), 0) AS readable_from
FROM @.migrations step`)
