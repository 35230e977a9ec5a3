import { schemaName } from "../SchemaName.ts"
import { createTable, recordStep } from "./migrationsTable.sql.ts"
import { migrations } from "./migrations.ts"

/**
 * Every migration as one SQL script for a tool of the host's own; a script that was run leaves the version behind that
 * the store looks for when it boots. `from` leaves out what is there already: the first version to print.
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
