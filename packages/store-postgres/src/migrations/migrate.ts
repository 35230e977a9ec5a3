import * as Data from "effect/Data"
import type { Connection } from "../Connection.ts"
import { makeDatabase } from "../database/Database.ts"
import { repeatable } from "../database/Sql.ts"
import { SqlFailure } from "../database/SqlFailure.ts"
import { numberIn } from "../database/values.ts"
import { schemaName, type SchemaName } from "../SchemaName.ts"
import { type Migration, migrations, schemaVersion } from "./migrations.ts"

/** The database's schema was made by a newer release, which this one must not write into. */
export class SchemaTooNew extends Data.TaggedError("SchemaTooNew")<{
  readonly schema: string
  readonly found: number
  readonly known: number
}> {
  override get message(): string {
    return `Schema ${this.schema} has version ${this.found}, newer than version ${this.known} of this release of @pixcharge/store-postgres. Update the package, or use another schema.`
  }
}

/** The database's schema lacks migrations, and the host runs them apart. */
export class SchemaTooOld extends Data.TaggedError("SchemaTooOld")<{
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
const migrationText = (schema: SchemaName, { version, name, statements }: Migration): string => `
DO $migration$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('pixcharge migrations of ${schema}', 0));
  IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = '${schema.slice(1, -1)}') THEN
    CREATE SCHEMA ${schema};
  END IF;
  CREATE TABLE IF NOT EXISTS ${schema}.migrations (
    version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
  );
  IF EXISTS (SELECT FROM ${schema}.migrations WHERE version >= ${version}) THEN
    RETURN;
  END IF;
${statements(schema)}
  INSERT INTO ${schema}.migrations (version, name) VALUES (${version}, '${name}');
END
$migration$`

/** A step may have to go through large tables, and other processes' steps before it. */
const longestStepMs = 600_000

// No such schema, or no such table.
const nothingYet = new Set(["3F000", "42P01"])

const findVersion = repeatable("SELECT coalesce(max(version), 0) AS version FROM @.migrations")

/** The version of the schema in the database; 0 when there is none. */
export const foundVersion = async (db: Connection, schema: SchemaName): Promise<number> => {
  try {
    const [row] = await makeDatabase(db, schema).read(findVersion, [])
    return row === undefined ? 0 : numberIn(row, "version")
  } catch (error) {
    if (error instanceof SqlFailure && nothingYet.has(error.code)) return 0
    throw error
  }
}

const refuseNewer = (schema: SchemaName, found: number): void => {
  if (found > schemaVersion) throw new SchemaTooNew({ schema, found, known: schemaVersion })
}

/**
 * Brings the schema to this release's version and answers with the migrations that were missing when it looked; those
 * may have been run by another process that booted at the same moment. Rejects with `SchemaTooNew`, `InvalidSchemaName`
 * or `SqlFailure`.
 */
export const migrate = async (
  db: Connection,
  options: SchemaOptions = {},
): Promise<ReadonlyArray<Pick<Migration, "version" | "name">>> => {
  const schema = schemaName(options.schema)
  const database = makeDatabase(db, schema, { answerMs: longestStepMs })
  const found = await foundVersion(db, schema)
  refuseNewer(schema, found)
  const missing = migrations.filter(({ version }) => version > found)
  for (const step of missing) await database.run(repeatable(migrationText(schema, step)), [])
  if (missing.length > 0) refuseNewer(schema, await foundVersion(db, schema))
  return missing.map(({ version, name }) => ({ version, name }))
}

/** Refuses a schema of any other version; for hosts that run migrations apart. */
export const checkSchema = async (db: Connection, options: SchemaOptions = {}): Promise<void> => {
  const schema = schemaName(options.schema)
  const found = await foundVersion(db, schema)
  refuseNewer(schema, found)
  if (found < schemaVersion) throw new SchemaTooOld({ schema, found, known: schemaVersion })
}
