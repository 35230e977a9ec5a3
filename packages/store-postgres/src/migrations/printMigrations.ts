import { schemaName } from "../SchemaName.ts"
import { createTable, recordStep } from "./migrationsTable.sql.ts"
import { migrations } from "./migrations.ts"

/**
 * Prints every migration as one SQL script, for a tool of the host's own. The script records the version, which the store checks when it
 * boots. `from` is the first version to print, for a schema that has the earlier ones.
 */
export const printMigrations = ({
  schema,
  from = 1,
}: { readonly schema?: string; readonly from?: number } = {}): string => {
  const name = schemaName(schema)
  const steps = migrations
    .filter(({ version }) => version >= from)
    .map(
      (step) => `-- ${step.version}: ${step.name}
${step.statements(name).trim()}
${recordStep(name, step)}`,
    )
  return `BEGIN;
CREATE SCHEMA IF NOT EXISTS ${name};${createTable(name)}
${steps.join("\n\n")}
COMMIT;
`
}
