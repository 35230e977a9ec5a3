import type { Connection } from "../sql/Connection.ts"
import { makeDatabase } from "../sql/Database.ts"
import { repeatable } from "../sql/Sql.ts"
import { schemaName, type SchemaName } from "../sql/SchemaName.ts"
import { createTable, type Migration, migrations, recordStep } from "./migrations.ts"
import { readSchema, type SchemaState } from "./readSchema.ts"
import { SchemaTooNew, SchemaTooOld } from "./SchemaErrors.ts"

export interface SchemaOptions {
  /** The schema's name, by default `pixcharge`. */
  readonly schema?: string
}

/** Any connection, pooled or not, runs this one statement as a whole or not at all. */
const migrationText = (schema: SchemaName, step: Migration): string => `
DO $migration$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('pixcharge migrations of ${schema}', 0));
  -- Where Citus distributes the schema, a step changes tables and functions in one transaction; elsewhere, they mean nothing.
  PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
  PERFORM set_config('citus.enable_unsafe_triggers', 'on', true);
  IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = '${schema.slice(1, -1)}') THEN
    CREATE SCHEMA ${schema};
  END IF;
${createTable}
  IF EXISTS (SELECT FROM @.migrations WHERE version >= ${step.version}) THEN
    RETURN;
  END IF;
${step.statements}
${recordStep(step)}
END
$migration$`

/** The maximum duration of a step in milliseconds, including the wait for other processes. */
const maxStepMs = 600_000

const refuseNewer = (schema: SchemaName, { version: found, known, isTooNew }: SchemaState): void => {
  if (isTooNew) throw new SchemaTooNew({ schema, found, known })
}

export const migrateBy = async (
  steps: ReadonlyArray<Migration>,
  db: Connection,
  options: SchemaOptions = {},
): Promise<ReadonlyArray<Pick<Migration, "version" | "name">>> => {
  const schema = schemaName(options.schema)
  const database = makeDatabase(db, schema, { answerMs: maxStepMs })
  const found = await readSchema(db, schema, steps)
  refuseNewer(schema, found)
  for (const step of found.missing) await database.run(repeatable(migrationText(schema, step)), [])
  if (found.missing.length > 0) refuseNewer(schema, await readSchema(db, schema, steps))
  return found.missing.map(({ version, name }) => ({ version, name }))
}

export const checkBy = async (
  steps: ReadonlyArray<Migration>,
  db: Connection,
  options: SchemaOptions = {},
): Promise<void> => {
  const schema = schemaName(options.schema)
  const found = await readSchema(db, schema, steps)
  refuseNewer(schema, found)
  if (found.missing.length > 0) throw new SchemaTooOld({ schema, found: found.version, known: found.known })
}

export interface MigrationName extends Pick<Migration, "version" | "name"> {}

/**
 * Brings the schema to this release's version; returns the migrations that were missing at the start. Another process that boots
 * at the same time might have run some of them. Rejects with `DatabaseNotUnicode`, `SchemaTooNew`, `SchemaUnreleased`,
 * `SchemaIncomplete`, `InvalidSchemaName` or `SqlFailure`.
 */
export const migrate = (db: Connection, options?: SchemaOptions): Promise<ReadonlyArray<MigrationName>> =>
  migrateBy(migrations, db, options)

/** Refuses a schema that lacks migrations or that this release can't use; for hosts that run migrations separately. */
export const checkSchema = (db: Connection, options?: SchemaOptions): Promise<void> => checkBy(migrations, db, options)
