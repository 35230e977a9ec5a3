import { hasTag } from "@pixcharge/core/internal"
import type { Connection, SqlFailure } from "@pixcharge/store-postgres"
import {
  type SchemaName,
  type Database,
  makeDatabase,
  repeatable,
  numberIn,
  numberOr,
  type Rights,
  storeRights,
  textIn,
} from "@pixcharge/store-postgres/internal"
import { checkVersions } from "./checkCluster.ts"
import { functionsVersion } from "./functions.sql.ts"
import { CitusUnusable } from "../shards/Shards.ts"

const findTables = repeatable(`
SELECT c.relname AS name, (SELECT count(*) FROM pg_dist_shard s WHERE s.logicalrelid = c.oid) AS shards
FROM pg_catalog.pg_dist_partition p JOIN pg_catalog.pg_class c ON c.oid = p.logicalrelid
WHERE c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1)`)

const findFunctions = repeatable("SELECT @.functions_version() AS version")

const undefinedFunction = "42883"
const noSchema = "3F000"

const readFunctionsVersion = async ({ read }: Database): Promise<number> => {
  try {
    const [row] = await read(findFunctions, [])
    return numberOr(row?.["version"]) ?? 0
  } catch (error) {
    if (hasTag<SqlFailure>(error, "SqlFailure") && [undefinedFunction, noSchema].includes(error.sqlState)) return 0
    throw error
  }
}

export interface Distribution {
  /** The number of shards, 0 while the charges are a plain table. */
  readonly shards: number
  /** The tables of this release that are plain or missing. */
  readonly missing: ReadonlyArray<string>
  readonly hasFunctions: boolean
}

export const readDistribution = async (database: Database, schema: SchemaName): Promise<Distribution> => {
  const rows = await database.read(findTables, [schema.slice(1, -1)])
  const shards = new Map(rows.map((row) => [textIn(row, "name"), numberIn(row, "shards")]))
  return {
    shards: shards.get("charges") ?? 0,
    missing: [...distributedTables, ...keyedTables, ...referenceTables].filter((table) => !shards.has(table)),
    hasFunctions: (await readFunctionsVersion(database)) >= functionsVersion,
  }
}

export const isWhole = ({ missing, hasFunctions }: Distribution): boolean => missing.length === 0 && hasFunctions

export const distributeCommand = "npx -p @pixcharge/store-citus pixcharge-citus distribute"

/** Rejects with `CitusUnusable` if the schema isn't distributed at all, or if the cluster's versions are untested. */
export const checkDistributed = async (db: Connection, schema: SchemaName): Promise<Distribution> => {
  await checkVersions(db, schema)
  const found = await readDistribution(makeDatabase(db, schema), schema)
  if (found.shards === 0) {
    throw new CitusUnusable({ message: `Schema ${schema} is not distributed: run \`${distributeCommand}\`.` })
  }
  return found
}

/** The first column of each table is `issuer`. */
export const distributedTables = [
  "charges",
  "charge_texts",
  "payments",
  "returns",
  "partial_refunds",
  "recurrences",
  "reconciliations",
  "deliveries",
  "queue_leases",
  "settled_deliveries",
  "delivery_attempts",
  "audit_log",
] as const

export const keyedTables = ["payment_owners"] as const

export const referenceTables = [
  "companies",
  "resellers",
  "credentials",
  "endpoints",
  "revoked_tokens",
  "migrations",
] as const

/**
 * The rights of `citusStore`. A view has no shards, so audit records are inserted into the table itself. No trigger claims
 * payments, so the store writes `payment_owners`.
 */
export const citusRights: Rights = {
  ...storeRights,
  audit_log: ["SELECT", "INSERT"],
  audit_entries: [],
  payment_owners: ["SELECT", "INSERT", "UPDATE"],
  hold_shard: ["EXECUTE"],
}
