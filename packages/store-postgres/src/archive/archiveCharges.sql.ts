import { lookUp } from "../database/lookUp.ts"
import { unrepeatable } from "../database/Sql.ts"

/**
 * Moves the texts of charges that are settled since before $1 (in seconds since the epoch) out of the hot table, $2 of
 * them at most; answers with a row for each.
 *
 * The slim row that stays keeps the id taken and goes on moving by the same statements. Texts are taken from the locked
 * row, for the payer may have been erased since the statement's snapshot.
 */
export const archiveCharges = unrepeatable(`
WITH settled AS MATERIALIZED (
  SELECT c.issuer, c.id, c.payer_name, c.payer_tax_id, c.message_to_payer, c.additional_info, c.fees, c.closed_days,
    c.br_code, c.created_at
  FROM @.charges c
  WHERE c.check_at IS NULL AND c.br_code IS NOT NULL AND c.updated_at < to_timestamp($1)
    AND c.state <> 'refunding' AND (c.state <> 'pending' OR c.watch_until < to_timestamp($1))
  ORDER BY c.updated_at
  LIMIT $2
  FOR UPDATE SKIP LOCKED
),
archived AS (
  INSERT INTO @.archived_texts (
    issuer, id, payer_name, payer_tax_id, message_to_payer, additional_info, fees, closed_days, br_code, created_at
  )
  SELECT
    issuer, id, payer_name, payer_tax_id, message_to_payer, additional_info, fees, closed_days, br_code, created_at
  FROM settled
)
UPDATE @.charges c SET
  payer_name = NULL, payer_tax_id = NULL, message_to_payer = NULL, additional_info = NULL, fees = NULL,
  closed_days = NULL, br_code = NULL
FROM settled s WHERE ${lookUp({ "c.issuer": "s.issuer", "c.id": "s.id" })}
RETURNING c.id`)
