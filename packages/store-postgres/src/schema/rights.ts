import { TaggedError } from "@pixcharge/core/internal"
import type { Database } from "../sql/Database.ts"
import { repeatable } from "../sql/Sql.ts"
import { textIn } from "../sql/values.ts"
import type { SchemaName } from "../sql/SchemaName.ts"

/** The rights to each table, sequence or function, named as in `GRANT`. */
export type Rights = Readonly<
  Record<string, ReadonlyArray<"SELECT" | "INSERT" | "UPDATE" | "DELETE" | "USAGE" | "EXECUTE">>
>

/** The store's rights while a host runs. The maintenance needs more rights. */
export const storeRights: Rights = {
  migrations: ["SELECT"],
  charges: ["SELECT", "INSERT", "UPDATE"],
  charge_texts: ["SELECT", "INSERT", "UPDATE"],
  payments: ["SELECT", "INSERT", "UPDATE"],
  payment_owners: ["SELECT"],
  returns: ["SELECT", "INSERT"],
  partial_refunds: ["SELECT", "INSERT", "UPDATE"],
  recurrences: ["SELECT", "INSERT", "UPDATE"],
  reconciliations: ["SELECT", "INSERT", "UPDATE"],
  deliveries: ["SELECT", "INSERT", "UPDATE", "DELETE"],
  queue_leases: ["SELECT", "INSERT", "UPDATE"],
  settled_deliveries: ["SELECT", "INSERT", "UPDATE", "DELETE"],
  delivery_attempts: ["SELECT", "INSERT"],
  revoked_tokens: ["SELECT", "INSERT", "UPDATE", "DELETE"],
  audit_log: ["SELECT"],
  audit_entries: ["INSERT"],
  audit_log_id_seq: ["USAGE"],
}

/** The directory's rights while a host runs. Registering companies needs more rights. */
export const directoryRights: Rights = {
  migrations: ["SELECT"],
  companies: ["SELECT"],
  resellers: ["SELECT"],
  credentials: ["SELECT"],
  endpoints: ["SELECT", "UPDATE"],
}

/**
 * The connection's role lacks rights that the service needs.
 *
 * @remedy Grant the role what the message names; docs/operations/database.md has all grants.
 * @repeat Yes, once the rights are granted.
 */
export class RightsMissing extends TaggedError("RightsMissing")<{
  readonly schema: string
  /** The missing rights, named as in `GRANT`, such as `INSERT on payments`. */
  readonly missing: ReadonlyArray<string>
}> {
  override get message(): string {
    return `The connection's role lacks rights to schema ${this.schema}: ${this.missing.join(", ")}. Grant them: see "Rights in the database" in docs/operations/database.md.`
  }
}

/**
 * The catalogue lists objects even without rights to their schema. Objects that don't exist lack no rights, because a migration
 * will create them. Before the first migration, a role that migrates ($3) needs CREATE.
 */
const selectMissing = repeatable(`
SELECT 'CREATE on the database' AS missing
WHERE $3::boolean AND NOT has_database_privilege(current_database(), 'CREATE')
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1)
UNION ALL
SELECT 'CREATE on the schema' FROM pg_catalog.pg_namespace s
WHERE $3::boolean AND s.nspname = $1 AND NOT has_schema_privilege(s.oid, 'CREATE')
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.relnamespace = s.oid AND c.relname = 'migrations')
UNION ALL
SELECT 'USAGE on the schema' FROM pg_catalog.pg_namespace
WHERE nspname = $1 AND NOT has_schema_privilege(oid, 'USAGE')
UNION ALL
SELECT n.privilege || ' on ' || c.relname
FROM json_to_recordset($2::json) AS n (name text, privilege text)
JOIN pg_catalog.pg_class c ON c.relname = n.name
JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace AND s.nspname = $1
WHERE NOT CASE c.relkind
  WHEN 'S' THEN has_sequence_privilege(c.oid, n.privilege)
  ELSE has_table_privilege(c.oid, n.privilege)
END
UNION ALL
SELECT n.privilege || ' on ' || p.proname
FROM json_to_recordset($2::json) AS n (name text, privilege text)
JOIN pg_catalog.pg_proc p ON p.proname = n.name
JOIN pg_catalog.pg_namespace s ON s.oid = p.pronamespace AND s.nspname = $1
WHERE NOT has_function_privilege(p.oid, n.privilege)`)

export const findMissingRights = async (
  { read }: Database,
  schema: SchemaName,
  rights: Rights,
  migrates: boolean,
): Promise<ReadonlyArray<string>> => {
  const each = Object.entries(rights).flatMap(([name, privileges]) =>
    privileges.map((privilege) => ({ name, privilege })),
  )
  const rows = await read(selectMissing, [schema.slice(1, -1), JSON.stringify(each), migrates])
  return rows.map((row) => textIn(row, "missing"))
}

export const checkRights = async (database: Database, schema: SchemaName, rights: Rights): Promise<void> => {
  const missing = await findMissingRights(database, schema, rights, true)
  if (missing.length > 0) throw new RightsMissing({ schema, missing })
}
