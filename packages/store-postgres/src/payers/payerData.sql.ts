import { chargeColumns, chargeJoins } from "../charges/chargeColumns.sql.ts"
import { lookUp } from "../database/lookUp.ts"
import { repeatable, unrepeatable } from "../database/Sql.ts"

const payerCharges = `ARRAY(
    SELECT id FROM @.charges WHERE issuer = $1 AND payer_tax_id = $2
    UNION ALL
    SELECT id FROM @.archived_texts WHERE issuer = $1 AND payer_tax_id = $2
  )`

/** Every charge of company $1 that names the payer $2, newest first. */
export const exportPayer = repeatable(`
SELECT ${chargeColumns}
FROM @.charges c ${chargeJoins}
WHERE c.issuer = $1 AND c.id = ANY (${payerCharges})
ORDER BY c.created_at DESC, c.id DESC`)

/**
 * Erases name and document of payer $2 of company $1, and the texts that may hold them, at $3 (in seconds since the epoch); returns the
 * charges that held them. Records actor $4 in the audit log, unless that is null, with the moment $5 of
 * movable business time (in epoch milliseconds), or null.
 */
export const erasePayer = unrepeatable(`
WITH locked AS MATERIALIZED (
  SELECT c.issuer, c.id FROM @.charges c
  WHERE c.issuer = $1 AND c.id = ANY (${payerCharges})
  ORDER BY c.id
  FOR UPDATE
),
texts AS (
  UPDATE @.archived_texts a SET payer_name = NULL, payer_tax_id = NULL, message_to_payer = NULL, additional_info = NULL
  FROM locked h WHERE ${lookUp({ "a.issuer": "h.issuer", "a.id": "h.id" })}
),
parts AS (
  UPDATE @.partial_refunds f SET refund_reason = NULL
  FROM locked h WHERE ${lookUp({ "f.issuer": "h.issuer", "f.charge_id": "h.id" })}
),
recorded AS (
  INSERT INTO @.audit_entries (issuer, actor, kind, details)
  SELECT $1, $4::text, 'payerErased', json_strip_nulls(json_build_object('charges', count(*), 'at', $5::bigint))
  FROM locked
  HAVING count(*) > 0 AND $4::text IS NOT NULL
)
UPDATE @.charges c SET
  payer_name = NULL, payer_tax_id = NULL, message_to_payer = NULL, additional_info = NULL, refund_reason = NULL, payer_erased_at = to_timestamp($3)
FROM locked h WHERE ${lookUp({ "c.issuer": "h.issuer", "c.id": "h.id" })}
RETURNING c.id`)
