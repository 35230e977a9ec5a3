import type { SchemaName } from "../../SchemaName.ts"

/** Keeps the log append-only in every session: `session_replication_role` switches off triggers that fire by default. */
export const keepAppendOnly = (schema: SchemaName): string =>
  ["append_only", "never_truncated"]
    .map((trigger) => `ALTER TABLE ${schema}.audit_log ENABLE ALWAYS TRIGGER ${trigger};`)
    .join("\n")

/**
 * A role that may insert into the view, and not into the table, adds records and dates none: `at` and `id` are no columns of
 * the view, which has the rights of its owner. So have the functions of the directory's triggers, which no role can call otherwise.
 */
export const auditEntries = (schema: SchemaName): string => `
${keepAppendOnly(schema)}
CREATE VIEW ${schema}.audit_entries AS SELECT issuer, actor, kind, details FROM ${schema}.audit_log;
${["record_registration", "record_key", "record_endpoint"]
  .map((name) => `ALTER FUNCTION ${schema}.${name}() SECURITY DEFINER SET search_path = pg_catalog, pg_temp;`)
  .join("\n")}
REVOKE EXECUTE ON FUNCTION ${schema}.record_change(text, text, json) FROM PUBLIC;
`
