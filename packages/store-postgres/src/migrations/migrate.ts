import { TaggedError } from "@pixcharge/core/internal"
import type { Connection } from "../Connection.ts"
import { makeDatabase } from "../database/Database.ts"
import { repeatable } from "../database/Sql.ts"
import { SqlFailure } from "../database/SqlFailure.ts"
import { numberIn } from "../database/values.ts"
import { schemaName, type SchemaName } from "../SchemaName.ts"
import { createTable, findSchema, recordStep } from "./migrationsTable.sql.ts"
import { type Migration, migrations, schemaVersion } from "./migrations.ts"

/**
 * The database's schema was made by a newer release, which this one must not write into.
 *
 * @remedy Update `@pixcharge/store-postgres`, or use another schema.
 * @repeat No: not before one of them is changed.
 */
export class SchemaTooNew extends TaggedError("SchemaTooNew")<{
  readonly schema: string
  readonly found: number
  readonly known: number
}> {
  override get message(): string {
    return `Schema ${this.schema} has version ${this.found}, newer than version ${this.known} of this release of @pixcharge/store-postgres. Update the package, or use another schema.`
  }
}

/**
 * The database's schema lacks migrations, and the host runs them apart.
 *
 * @remedy Run `npx -p @pixcharge/store-postgres pixcharge-postgres migrate`, then start again.
 * @repeat Yes, once the migrations have run.
 */
export class SchemaTooOld extends TaggedError("SchemaTooOld")<{
  readonly schema: string
  readonly found: number
  readonly known: number
}> {
  override get message(): string {
    return `Schema ${this.schema} has version ${this.found}, and this release of @pixcharge/store-postgres needs version ${this.known}. Run \`npx -p @pixcharge/store-postgres pixcharge-postgres migrate\`.`
  }
}

/** Where the tables are. */
export interface SchemaOptions {
  /** By default `pixcharge`. */
  readonly schema?: string
}

/**
 * One migration as one statement, so that it happens wholly or not at all on any connection, pooled or not.
 *
 * The lock makes processes that boot together take turns; each then finds what the one before it has done.
 */
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
${createTable(schema)}
  IF EXISTS (SELECT FROM ${schema}.migrations WHERE version >= ${step.version}) THEN
    RETURN;
  END IF;
${step.statements(schema)}
${recordStep(schema, step)}
END
$migration$`

/** A step may take long on large tables, and wait for other processes' steps. */
const maxStepMs = 600_000

// No such schema, or no such table.
const missingStates = new Set(["3F000", "42P01"])

/** What a schema's table of migrations says. */
export interface SchemaState {
  /** 0 when there is none. */
  readonly version: number
  /** Whether a newer release has changed it so that this one can't use it. */
  readonly isTooNew: boolean
}

/** Reads which version the schema has. */
export const readSchema = async (db: Connection, schema: SchemaName): Promise<SchemaState> => {
  try {
    const [row] = await makeDatabase(db, schema).read(findSchema, [])
    if (row === undefined) return { version: 0, isTooNew: false }
    return { version: numberIn(row, "version"), isTooNew: numberIn(row, "readable_from") > schemaVersion }
  } catch (error) {
    if (error instanceof SqlFailure && missingStates.has(error.sqlState)) return { version: 0, isTooNew: false }
    throw error
  }
}

const refuseNewer = (schema: SchemaName, { version: found, isTooNew }: SchemaState): void => {
  if (isTooNew) throw new SchemaTooNew({ schema, found, known: schemaVersion })
}

/**
 * Brings the schema to this release's version; returns the migrations that were missing at the start. Another process that boots at
 * the same moment may have run some of them. Rejects with `SchemaTooNew`, `InvalidSchemaName`
 * or `SqlFailure`.
 */
export const migrate = async (
  db: Connection,
  options: SchemaOptions = {},
): Promise<ReadonlyArray<Pick<Migration, "version" | "name">>> => {
  const schema = schemaName(options.schema)
  const database = makeDatabase(db, schema, { answerMs: maxStepMs })
  const found = await readSchema(db, schema)
  refuseNewer(schema, found)
  const missing = migrations.filter(({ version }) => version > found.version)
  for (const step of missing) await database.run(repeatable(migrationText(schema, step)), [])
  if (missing.length > 0) refuseNewer(schema, await readSchema(db, schema))
  return missing.map(({ version, name }) => ({ version, name }))
}

/** Refuses a schema that lacks migrations, or that this release can't use; for hosts that run migrations apart. */
export const checkSchema = async (db: Connection, options: SchemaOptions = {}): Promise<void> => {
  const schema = schemaName(options.schema)
  const found = await readSchema(db, schema)
  refuseNewer(schema, found)
  if (found.version < schemaVersion) throw new SchemaTooOld({ schema, found: found.version, known: schemaVersion })
}
