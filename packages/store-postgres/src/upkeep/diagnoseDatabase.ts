import { type Finding, InvalidOption } from "@pixcharge/core"
import type { Connection } from "../sql/Connection.ts"
import { makeDatabase } from "../sql/Database.ts"
import { SqlFailure } from "../sql/SqlFailure.ts"
import { DatabaseNotUnicode, readSchema, readServer } from "../schema/readSchema.ts"
import { SchemaIncomplete, SchemaUnreleased } from "../schema/SchemaErrors.ts"
import type { ReadyOptions } from "../schema/ready.ts"
import { findMissingRights, RightsMissing, type Rights } from "../schema/rights.ts"
import { schemaName, type SchemaName } from "../sql/SchemaName.ts"

/** `docs/scaling.md` lists the tested versions. */
const minServer = 15

const checkServer = async (db: Connection, schema: SchemaName): Promise<Finding> => {
  const server = await readServer(db, schema)
  if (server === undefined) throw new Error("it answers without a version")
  const { version, major } = server
  const check = "database"
  return major < minServer
    ? { check, status: "failed", message: `Postgres ${version} is too old: update it to ${minServer} or newer` }
    : { check, status: "ok", message: `Postgres ${version} answers` }
}

const migrateCommand = "npx -p @pixcharge/store-postgres pixcharge-postgres migrate"

const checkMigrations = async (db: Connection, schema: SchemaName, migrations: string): Promise<Finding> => {
  const check = "migrations"
  const { version: found, known, missing, isTooNew } = await readSchema(db, schema)
  if (missing.length === 0 && !isTooNew) {
    return { check, status: "ok", message: `schema ${schema} has version ${found}, no migration is pending` }
  }
  if (isTooNew) {
    const message = `schema ${schema} has version ${found}, and this release knows ${known}: update @pixcharge/store-postgres`
    return { check, status: "failed", message }
  }
  const state = `schema ${schema} has version ${found}, ${missing.length} of ${known} are pending`
  return migrations === "check"
    ? { check, status: "failed", message: `${state}: run \`${migrateCommand}\`` }
    : { check, status: "ok", message: `${state}: the next start runs them` }
}

export const diagnoseRights = async (
  db: Connection,
  schema: SchemaName,
  rights: Rights,
  { check = "rights", migrates = false },
): Promise<Finding> => {
  const missing = await findMissingRights(makeDatabase(db, schema), schema, rights, migrates)
  return missing.length === 0
    ? { check, status: "ok", message: `no right to schema ${schema} is missing` }
    : { check, status: "failed", message: new RightsMissing({ schema, missing }).message.replace(/\.$/, "") }
}

/** The codes of a server or a pooler that rejects the user. */
const refusesUser = /^28/

const advise = ({ sqlState, kind }: SqlFailure): string => {
  if (refusesUser.test(sqlState)) return "check user and password"
  if (sqlState === "3D000") return "create the database, or name another"
  return kind === "refused"
    ? "give the user the right to create and use the schema"
    : "check host, port and TLS of the connection"
}

const ownErrors = [DatabaseNotUnicode, InvalidOption, SchemaUnreleased, SchemaIncomplete]

/** Omits Postgres's own message, which can name users and databases. */
const describeFailure = (check: string, error: unknown): Finding => {
  if (error instanceof Error && ownErrors.some((known) => error instanceof known)) {
    return { check, status: "failed", message: error.message.replace(/\.$/, "") }
  }
  const { code, advice } =
    error instanceof SqlFailure
      ? { code: error.sqlState, advice: advise(error) }
      : { code: "", advice: "give postgresStore the connection as db, a pg.Pool for example" }
  return { check, status: "failed", message: `no answer${code === "" ? "" : ` (${code})`}: ${advice}` }
}

/** Runs no migration. */
export const diagnoseDatabase = async (
  db: Connection,
  options: ReadyOptions,
  rights: Rights,
): Promise<ReadonlyArray<Finding>> => {
  const { migrations = "run" } = options
  const findings: Array<Finding> = []
  try {
    const schema = schemaName(options.schema)
    const checks = {
      database: () => checkServer(db, schema),
      rights: () => diagnoseRights(db, schema, rights, { migrates: migrations === "run" }),
      migrations: () => checkMigrations(db, schema, migrations),
    }
    for (const [check, run] of Object.entries(checks)) {
      const finding = await run().catch((error: unknown) => describeFailure(check, error))
      findings.push(finding)
      if (finding.status === "failed") break
    }
    return findings
  } catch (error) {
    const message = error instanceof Error ? error.message : "it has no schema name"
    return [{ check: "database", status: "failed", message }]
  }
}
