import type { SchemaName } from "../schema/SchemaName.ts"
import type { Database } from "../sql/Database.ts"
import { repeatable } from "../sql/Sql.ts"
import { SqlFailure } from "../sql/SqlFailure.ts"
import { isTrue, numberIn, numberOr, textIn } from "../sql/values.ts"
import { functionsVersion } from "./functions.sql.ts"

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
    if (error instanceof SqlFailure && [undefinedFunction, noSchema].includes(error.sqlState)) return 0
    throw error
  }
}

/** How much of a schema is distributed. */
export interface Distribution {
  /** Of the charges; 0 while they are a plain table. */
  readonly shards: number
  /** Tables of this release that are plain ones still, or not there. */
  readonly missing: ReadonlyArray<string>
  /** Whether the functions are of this release, or of a newer one. */
  readonly hasFunctions: boolean
}

/** Reads how much of a schema is distributed, in a database that has Citus. */
export const readDistribution = async (database: Database, schema: SchemaName): Promise<Distribution> => {
  const rows = await database.read(findTables, [schema.slice(1, -1)])
  const shards = new Map(rows.map((row) => [textIn(row, "name"), numberIn(row, "shards")]))
  return {
    shards: shards.get("charges") ?? 0,
    missing: [...distributedTables, ...keyedTables, ...referenceTables].filter((table) => !shards.has(table)),
    hasFunctions: (await readFunctionsVersion(database)) >= functionsVersion,
  }
}

const findCatalog = repeatable("SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS has_citus")

/** Whether Citus holds the schema's charges in shards; works in any database. */
export const isDistributed = async (database: Database, schema: SchemaName): Promise<boolean> => {
  const [row] = await database.read(findCatalog, [])
  return isTrue(row?.["has_citus"]) && (await readDistribution(database, schema)).shards > 0
}

/** Whether nothing is left to be distributed. */
export const isWhole = ({ missing, hasFunctions }: Distribution): boolean => missing.length === 0 && hasFunctions

/** Tables by company, co-located: the first column of each is `issuer`. The others are co-located with the first. */
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

/** Tables that span companies, in shards of their own by their first column. */
export const keyedTables = ["payment_owners"] as const

/** Small tables, of which every node holds a copy. */
export const referenceTables = [
  "companies",
  "resellers",
  "credentials",
  "endpoints",
  "revoked_tokens",
  "migrations",
] as const
