import { createHash } from "node:crypto"
import { repeatable } from "../sql/Sql.ts"
import type { Migration } from "./migrations.ts"

/** The table that says which steps a schema has. */
export const createTable = `
CREATE TABLE IF NOT EXISTS @.migrations (
  version        integer PRIMARY KEY,
  name           text NOT NULL,
  -- SHA-256 of the step's statements, in hexadecimal.
  digest         text NOT NULL,
  readable_from  integer NOT NULL,
  applied_at     timestamptz NOT NULL DEFAULT now()
);`

/** The same in every schema. */
export const digestStep = ({ statements }: Migration): string => createHash("sha256").update(statements).digest("hex")

/** Records that a step was taken. */
export const recordStep = (step: Migration): string =>
  `INSERT INTO @.migrations (version, name, digest, readable_from)
VALUES (${step.version}, '${step.name}', '${digestStep(step)}', ${step.readableFrom ?? step.version});`

/** Reads through JSON the columns that unreleased versions lack. */
export const findSteps = repeatable(`
SELECT version, name, to_jsonb(step) ->> 'digest' AS digest,
  coalesce((to_jsonb(step) ->> 'readable_from')::integer, version) AS readable_from
FROM @.migrations step
ORDER BY version`)

/** Which of the names $2, a JSON array, are relations or functions of schema $1; reads the catalogue, which needs no rights. */
export const findObjects = repeatable(`
SELECT n.name
FROM (SELECT json_array_elements_text($2::json) AS name) n
JOIN pg_catalog.pg_namespace s ON s.nspname = $1
WHERE EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.relnamespace = s.oid AND c.relname = n.name)
  OR EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.pronamespace = s.oid AND p.proname = n.name)`)
