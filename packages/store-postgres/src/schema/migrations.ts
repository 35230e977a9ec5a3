import { createHash } from "node:crypto"
import { inSchema, repeatable } from "../sql/Sql.ts"
import { directoryTables } from "./0001/directoryTables.sql.ts"
import { functions } from "./0001/functions.sql.ts"
import { indexes } from "./0001/indexes.sql.ts"
import { tables } from "./0001/tables.sql.ts"
import { schemaName } from "../sql/SchemaName.ts"

/** A step of the schema. Once released, it never changes. */
export interface Migration {
  readonly version: number
  readonly name: string
  /** SQL with `@.` for the schema. */
  readonly statements: string
  /**
   * The lowest schema version whose release can still start after this step; by default the step's own version. A step that only
   * adds objects names the previous release's version (docs/upgrading.md).
   */
  readonly readableFrom?: number
}

/** Every step, in order. Until a release is tagged, edit the first step; don't append one. */
export const migrations: ReadonlyArray<Migration> = [
  { version: 1, name: "initial schema", statements: tables + directoryTables + indexes + functions },
]

export const createTable = `
CREATE TABLE IF NOT EXISTS @.migrations (
  version        integer PRIMARY KEY,
  name           text NOT NULL,
  -- SHA-256 of the step's statements, in hexadecimal.
  digest         text NOT NULL,
  readable_from  integer NOT NULL,
  applied_at     timestamptz NOT NULL DEFAULT now()
);`

export const digestStep = ({ statements }: Migration): string => createHash("sha256").update(statements).digest("hex")

export const recordStep = (step: Migration): string =>
  `INSERT INTO @.migrations (version, name, digest, readable_from)
VALUES (${step.version}, '${step.name}', '${digestStep(step)}', ${step.readableFrom ?? step.version});`

/** Unreleased versions lack two columns, so these are read through JSON. */
export const findSteps = repeatable(`
SELECT version, name, to_jsonb(step) ->> 'digest' AS digest,
  coalesce((to_jsonb(step) ->> 'readable_from')::integer, version) AS readable_from
FROM @.migrations step
ORDER BY version`)

/** Reads the catalogue, which needs no rights. $1 is the schema, $2 a JSON array of names. */
export const findObjects = repeatable(`
SELECT n.name
FROM (SELECT json_array_elements_text($2::json) AS name) n
JOIN pg_catalog.pg_namespace s ON s.nspname = $1
WHERE EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.relnamespace = s.oid AND c.relname = n.name)
  OR EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.pronamespace = s.oid AND p.proname = n.name)`)

interface PrintOptions {
  readonly schema?: string
  readonly from?: number
}

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
    // Without this setting, psql reads a file in its terminal's encoding.
    `BEGIN;
SET LOCAL client_encoding = 'UTF8';
CREATE SCHEMA IF NOT EXISTS ${name};${createTable}
${printed.join("\n\n")}
COMMIT;
`,
  )
}

/**
 * Prints every migration as one SQL script for the host's own tool. The script records the version, which the store checks when
 * it boots. `from` is the first version to print.
 */
export const printMigrations = (options: { readonly schema?: string; readonly from?: number } = {}): string =>
  printSteps(migrations, options)
