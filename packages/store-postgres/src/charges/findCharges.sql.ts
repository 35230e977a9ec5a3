import { type Sql, sql } from "../database/Database.ts"
import type { SchemaName } from "../SchemaName.ts"
import { chargeColumns, settlingPayment } from "./chargeColumns.sql.ts"

/** The charges of these keys, each looked up by itself: LATERAL with LIMIT keeps the planner from scanning the table. */
export const findCharges = (schema: SchemaName): Sql =>
  sql(
    `
SELECT ${chargeColumns(schema)}
FROM json_to_recordset($1::json) AS k (issuer text, id uuid)
CROSS JOIN LATERAL (
  SELECT * FROM ${schema}.charges c WHERE c.issuer = k.issuer AND c.id = k.id LIMIT 1
) c
${settlingPayment(schema)}`,
    { repeatable: true },
  )

/** What the archive holds of these charges. */
export const findArchivedTexts = (schema: SchemaName): Sql =>
  sql(
    `
SELECT a.issuer, a.id, a.payer_name, a.payer_tax_id, a.fees::text AS fees, a.br_code
FROM json_to_recordset($1::json) AS k (issuer text, id uuid)
JOIN ${schema}.archived_texts a ON a.issuer = k.issuer AND a.id = k.id`,
    { repeatable: true },
  )
