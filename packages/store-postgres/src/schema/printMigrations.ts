import { inSchema } from "../sql/Sql.ts"
import { schemaName } from "./SchemaName.ts"
import { type Migration, migrations } from "./migrations.ts"
import { createTable, recordStep } from "./migrationsTable.sql.ts"

interface PrintOptions {
  readonly schema?: string
  readonly from?: number
}

/** `printMigrations` of these steps. */
export const printSteps = (steps: ReadonlyArray<Migration>, { schema, from = 1 }: PrintOptions = {}): string => {
  const name = schemaName(schema)
  const printed = steps
    .filter(({ version }) => version >= from)
    .map(
      (step) => `-- ${step.version}: ${step.name}
${step.statements.trim()}
${recordStep(step)}`,
    )
  return inSchema(
    name,
    // The encoding, because psql reads a file in that of its terminal.
    `BEGIN;
SET LOCAL client_encoding = 'UTF8';
CREATE SCHEMA IF NOT EXISTS ${name};${createTable}
${printed.join("\n\n")}
COMMIT;
`,
  )
}

/**
 * Prints every migration as one SQL script, for a tool of the host's own. The script records the version, which the store checks when it
 * boots. `from` is the first version to print, for a schema that has the earlier ones.
 */
export const printMigrations = (options: { readonly schema?: string; readonly from?: number } = {}): string =>
  printSteps(migrations, options)
