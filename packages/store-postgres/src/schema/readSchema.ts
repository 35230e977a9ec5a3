import { InvalidOption } from "@pixcharge/core"
import { TaggedError } from "@pixcharge/core/internal"
import type { Connection } from "../sql/Connection.ts"
import { type Database, makeDatabase, type Row } from "../sql/Database.ts"
import { repeatable } from "../sql/Sql.ts"
import { SqlFailure } from "../sql/SqlFailure.ts"
import { isTrue, numberIn, textIn } from "../sql/values.ts"
import { SchemaDistributed, SchemaIncomplete, SchemaUnreleased } from "./SchemaErrors.ts"
import type { SchemaName } from "../sql/SchemaName.ts"
import { digestStep, findObjects, findSteps, type Migration, migrations } from "./migrations.ts"

export interface SchemaState {
  /** 0 for an empty schema. */
  readonly version: number
  readonly known: number
  readonly missing: ReadonlyArray<Migration>
  readonly isTooNew: boolean
}

// The schema or the table is missing.
const missingStates = new Set(["3F000", "42P01"])
// A column is missing or has another type.
const foreignStates = new Set(["42703", "42804"])

/** Resolves to undefined if the table belongs to another program. */
const readSteps = async (database: Database): Promise<ReadonlyArray<Row> | undefined> => {
  try {
    return await database.read(findSteps, [])
  } catch (error) {
    if (error instanceof SqlFailure && missingStates.has(error.sqlState)) return []
    if (error instanceof SqlFailure && foreignStates.has(error.sqlState)) return undefined
    throw error
  }
}

/** Skips indexes and triggers, because each belongs to a table. */
const namesOf = (steps: ReadonlyArray<Migration>): ReadonlyArray<string> =>
  steps.flatMap(({ statements }) =>
    Array.from(statements.matchAll(/^CREATE (?:TABLE|VIEW|FUNCTION) @\.(\w+)/gm), ([, name]) => String(name)),
  )

/**
 * Rejects with `DatabaseNotUnicode`; with `SchemaUnreleased` if a recorded step differs from the known step of its number; with
 * `SchemaIncomplete` if the schema has a step's objects but no record of the step.
 */
export const readSchema = async (
  db: Connection,
  schema: SchemaName,
  steps: ReadonlyArray<Migration> = migrations,
): Promise<SchemaState> => {
  await readServer(db, schema)
  const database = makeDatabase(db, schema)
  // Reads the objects before the records. Another process commits both in one transaction, so each object found here has its
  // record.
  const objects = await database.read(findObjects, [schema.slice(1, -1), JSON.stringify(namesOf(steps))])
  const incomplete = () => new SchemaIncomplete({ schema, found: objects.map((row) => textIn(row, "name")) })
  const rows = await readSteps(database)
  if (rows === undefined) throw incomplete()
  const recorded = new Map(rows.map((row) => [numberIn(row, "version"), row]))
  const version = Math.max(0, ...recorded.keys())
  const taken = steps.filter((step) => step.version <= version)
  const changedStep = taken.find((step) => {
    const row = recorded.get(step.version)
    return row !== undefined && (row["digest"] !== digestStep(step) || row["name"] !== step.name)
  })
  if (changedStep !== undefined) throw new SchemaUnreleased({ schema, version: changedStep.version })
  if (taken.some((step) => !recorded.has(step.version)) || (version === 0 && objects.length > 0)) throw incomplete()
  const known = Math.max(...steps.map((step) => step.version))
  return {
    version,
    known,
    missing: steps.filter((step) => step.version > version),
    isTooNew: Array.from(recorded.values()).some((row) => numberIn(row, "readable_from") > known),
  }
}

const findCitus = repeatable("SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS has_citus")

const findDistributed = repeatable(
  "SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = to_regclass('@.charges')) AS is_distributed",
)

/** Rejects with `SchemaDistributed`. */
export const refuseDistributed = async (db: Connection, schema: SchemaName): Promise<void> => {
  const { read } = makeDatabase(db, schema)
  const [citus] = await read(findCitus, [])
  if (!isTrue(citus?.["has_citus"])) return
  const [found] = await read(findDistributed, [])
  if (isTrue(found?.["is_distributed"])) throw new SchemaDistributed({ schema })
}

/**
 * The database's encoding isn't UTF8: it lacks some characters of names and messages.
 *
 * @remedy Create a database with `ENCODING 'UTF8' TEMPLATE template0`, and connect to it.
 * @repeat No, not before another database is named.
 */
export class DatabaseNotUnicode extends TaggedError("DatabaseNotUnicode")<{ readonly encoding: string }> {
  override get message(): string {
    return `The database's encoding is ${this.encoding}, which lacks characters of names and messages. Create a database with ENCODING 'UTF8' TEMPLATE template0, and connect to it.`
  }
}

const findServer = repeatable(`
SELECT current_setting('server_version') AS server_version, current_setting('server_encoding') AS server_encoding,
  current_setting('server_version_num')::int / 10000 AS major`)

/** Throws `InvalidOption` for an unconnected `pg.Client`, which would keep every query waiting. */
export const checkConnected = (db: Connection): void => {
  const { _connected: isConnected, _connecting: isConnecting } = db as {
    readonly _connected?: unknown
    readonly _connecting?: unknown
  }
  if (isConnected !== false || isConnecting !== false) return
  throw new InvalidOption({
    message: 'The option "db": it is a pg.Client without a connection: await its connect() first.',
  })
}

const checkKeys = (row: Row): void => {
  if (Object.hasOwn(row, "server_version")) return
  const keys = Object.keys(row).join(", ")
  const message = `The option "db": a row must have the columns' names as its keys, and one has the keys ${keys}: give a connection that leaves column names as they are.`
  throw new InvalidOption({ message })
}

/**
 * The server's version, or undefined if the server doesn't report it. Rejects with `DatabaseNotUnicode`, or with `InvalidOption`
 * for renamed columns and for an unconnected client.
 */
export const readServer = async (
  db: Connection,
  schema: SchemaName,
): Promise<{ readonly version: string; readonly major: number } | undefined> => {
  checkConnected(db)
  const [row] = await makeDatabase(db, schema).read(findServer, [])
  if (row === undefined) return undefined
  checkKeys(row)
  const encoding = textIn(row, "server_encoding")
  if (encoding !== "UTF8") throw new DatabaseNotUnicode({ encoding })
  return { version: textIn(row, "server_version"), major: numberIn(row, "major") }
}
