import { type Connection, migrate, type SchemaOptions } from "@pixcharge/store-postgres"
import {
  type Database,
  makeDatabase,
  repeatable,
  keepAppendOnly,
  schemaName,
  type SchemaName,
} from "@pixcharge/store-postgres/internal"
import { checkCoordinator, checkVersions } from "./checkCluster.ts"
import { CitusUnusable } from "../shards/Shards.ts"
import {
  distributedTables,
  type Distribution,
  isWhole,
  keyedTables,
  readDistribution,
  referenceTables,
} from "./distribution.ts"
import { citusFunctions } from "./functions.sql.ts"

/** Options of `distribute`. */
export interface DistributeOptions extends SchemaOptions {
  /** The number of shards at the first run; 32 by default. Splits add more later. */
  readonly shards?: number
}

/** The result of `distribute`. */
export interface Distributed {
  /** The tables that were plain before. */
  readonly tables: ReadonlyArray<string>
  readonly shards: number
}

const defaultShards = 32
const maxShards = 64_000

/** One statement copies a large table. */
const maxStepMs = 12 * 3_600_000

const makeStep = (schema: SchemaName, statements: string) =>
  repeatable(`
DO $distribute$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('pixcharge migrations of ${schema}', 0));
  PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
  -- Our triggers are safe in shards: for each row they write once, or refuse.
  PERFORM set_config('citus.enable_unsafe_triggers', 'on', true);
${statements}
END
$distribute$`)

/**
 * Copies a table's rows into the shards, with triggers off because they would record or refuse the copies. Then deletes the rows
 * that stay on the coordinator, where no query sees them.
 */
const distributeTable = (schema: SchemaName, table: string, create: string) =>
  makeStep(
    schema,
    `  IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = '${schema}.${table}'::regclass) THEN
${table === "payments" ? `    DROP TRIGGER IF EXISTS claimed ON ${schema}.payments;` : ""}
    ALTER TABLE ${schema}.${table} DISABLE TRIGGER USER;
    PERFORM ${create};
    IF pg_relation_size('${schema}.${table}') > 0 THEN
      PERFORM truncate_local_data_after_distributing_table('${schema}.${table}');
    END IF;
    ALTER TABLE ${schema}.${table} ENABLE TRIGGER USER;
${table === "audit_log" ? keepAppendOnly : ""}
  END IF;`,
  )

const creationCall = (schema: SchemaName, table: string, shards: number): string => {
  const name = `'${schema}.${table}'`
  const [first] = distributedTables
  if (keyedTables.some((keyed) => keyed === table)) {
    return `create_distributed_table(${name}, 'end_to_end_id', colocate_with := 'none', shard_count := ${shards})`
  }
  if (referenceTables.some((reference) => reference === table)) return `create_reference_table(${name})`
  return table === first
    ? `create_distributed_table(${name}, 'issuer', colocate_with := 'none', shard_count := ${shards})`
    : `create_distributed_table(${name}, 'issuer', colocate_with := '${schema}.${first}')`
}

const installFunctions = (schema: SchemaName) =>
  makeStep(
    schema,
    `${citusFunctions(schema)
      .map((text) => `${text};`)
      .join("\n")}
  PERFORM create_distributed_function(
    '${schema}.on_shard(text, bigint, text, text, text[])', 'shard_key', colocate_with := '${schema}.charges'
  );
  PERFORM create_distributed_function('${schema}.hold_shard(bigint)');
  PERFORM create_distributed_function('${schema}.record_change(text, text, json)');
  PERFORM create_distributed_function('${schema}.number_record()');
  PERFORM create_distributed_function('${schema}.functions_version()');
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = '${schema}.audit_log'::regclass AND tgname = 'numbered') THEN
    CREATE TRIGGER numbered BEFORE INSERT ON ${schema}.audit_log
      FOR EACH ROW EXECUTE FUNCTION ${schema}.number_record();
  END IF;`,
  )

const refuseShards = (shards: number | undefined, found: Distribution): void => {
  if (shards === undefined) return
  if (!Number.isInteger(shards) || shards < 1 || shards > maxShards) {
    throw new CitusUnusable({
      message: `The number of shards must be an integer from 1 to ${maxShards}, not ${shards}.`,
    })
  }
  if (found.shards !== 0 && found.shards !== shards) {
    const message = `The schema has ${found.shards} shards already: split them with Citus's own functions, and omit the number.`
    throw new CitusUnusable({ message })
  }
}

const checkEveryNode = async (db: Connection, schema: SchemaName): Promise<void> => {
  const { allAnswered } = await checkVersions(db, schema)
  if (!allAnswered) {
    const message =
      "Some nodes don't report their versions: check that each node runs and can be reached from the others."
    throw new CitusUnusable({ message })
  }
}

const distributeMissing = async (
  { run }: Database,
  schema: SchemaName,
  found: Distribution,
  shards: number,
): Promise<void> => {
  for (const table of found.missing) await run(distributeTable(schema, table, creationCall(schema, table, shards)), [])
  if (!found.hasFunctions) await run(installFunctions(schema), [])
}

/**
 * Migrates the schema and distributes its plain tables with their rows: company tables into co-located shards, the directory and
 * the migrations onto every node.
 *
 * One statement distributes each table, so the next run finishes an interrupted run. Run it over a connection to the coordinator:
 * the first time while no host runs, and again after each update that has a migration.
 *
 * Rejects with `CitusUnusable`, and with the errors of `migrate`.
 */
export const distribute = async (
  db: Connection,
  { shards, ...options }: DistributeOptions = {},
): Promise<Distributed> => {
  const schema = schemaName(options.schema)
  const database = makeDatabase(db, schema, { answerMs: maxStepMs })
  await checkEveryNode(db, schema)
  await checkCoordinator(database)
  refuseShards(shards, await readDistribution(database, schema))
  await migrate(db, options)
  const found = await readDistribution(database, schema)
  await distributeMissing(database, schema, found, shards ?? defaultShards)
  const done = await readDistribution(database, schema)
  if (!isWhole(done)) {
    throw new CitusUnusable({
      message: `Some of the schema is not distributed: ${done.missing.join(", ") || "its functions"}.`,
    })
  }
  return { tables: found.missing, shards: done.shards }
}
