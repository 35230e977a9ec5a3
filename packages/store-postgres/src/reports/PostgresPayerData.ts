import { PayerData } from "@pixcharge/core"
import type { Cnpj, TaxId } from "@pixcharge/core/party"
import { PayerHasRecurrence, personalRecurrenceFields, type RecurrenceId } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import { chargeFacts, chargeFromRow, chargeTexts, lastRefund } from "../charges/ChargeRow.ts"
import { chargeColumns, chargeJoins } from "../charges/chargeColumns.sql.ts"
import { recurrenceTerms } from "../recurrences/RecurrenceRow.ts"
import { type Database, storeEffect } from "../sql/Database.ts"
import { lookUp, repeatable, unrepeatable } from "../sql/Sql.ts"
import { textIn, toSeconds } from "../sql/values.ts"
import { type Author, currentAuthor } from "../sql/Author.ts"

export const makePayerData = ({ report, run }: Database): PayerData["Service"] => {
  const erase = async (issuer: Cnpj, taxId: TaxId, now: number, { actor, at }: Author) => {
    const { rows } = await run(erasePayer, [issuer, taxId, toSeconds(now), actor ?? null, at ?? null])
    const open = rows.find((row) => row["is_open"] === true)
    return open === undefined
      ? Effect.succeed(rows.length)
      : Effect.fail(new PayerHasRecurrence({ issuer, id: textIn(open, "id") as RecurrenceId }))
  }

  return PayerData.of({
    export: (issuer, taxId) =>
      Effect.map(report("exportPayer", issuer, exportPayer, [issuer, taxId]), (rows) => ({
        charges: rows.map(chargeFromRow),
      })),
    erase: (issuer, taxId, now) =>
      Effect.flatMap(currentAuthor, (author) =>
        Effect.flatten(storeEffect("erasePayer", () => erase(issuer, taxId, now, author))),
      ),
  })
}

const payerCharges = "ARRAY(SELECT id FROM @.charge_texts WHERE issuer = $1 AND payer_tax_id = $2)"

/** The charges of payer $2 of company $1, newest first. */
export const exportPayer = repeatable(`
SELECT ${chargeColumns}
FROM @.charges c ${chargeJoins}
WHERE c.issuer = $1 AND c.id = ANY (${payerCharges})
ORDER BY c.created_at DESC, c.id DESC`)

const personalInJourney = Object.values(personalRecurrenceFields.journeys)
  .flatMap((marks) =>
    Object.entries(marks).flatMap(([name, isPersonal]) => (isPersonal ? `#- '{journey,${name}}'` : [])),
  )
  .join(" ")

/**
 * Erases payer $2 of company $1 at $3 (in seconds since the epoch): name and tax id, account, and the texts of charges that can
 * name the payer. While a recurrence of the payer is open, only returns its row; otherwise erases, and returns a row for each
 * charge and recurrence. Records the erasure in the audit log, with the actor $4 (or null), the oldest charge and recurrence, and
 * the time $5 of a provided clock (in epoch milliseconds, or null). Locks recurrences before charges.
 */
export const erasePayer = unrepeatable(`
WITH authorised AS MATERIALIZED (
  SELECT r.issuer, r.id, r.state FROM @.recurrences r
  WHERE r.issuer = $1 AND r.payer_tax_id = $2
  ORDER BY r.id
  FOR UPDATE
),
open AS MATERIALIZED (SELECT id FROM authorised WHERE state <> 'ended' LIMIT 1),
locked AS MATERIALIZED (
  SELECT c.issuer, c.id FROM @.charges c
  WHERE c.issuer = $1 AND c.id = ANY (${payerCharges}) AND NOT EXISTS (SELECT FROM open)
  ORDER BY c.id
  FOR UPDATE
),
texts AS (
  UPDATE @.charge_texts a SET ${chargeTexts.erased}
  FROM locked h WHERE ${lookUp({ "a.issuer": "h.issuer", "a.id": "h.id" })}
),
parts AS (
  UPDATE @.partial_refunds f SET ${lastRefund.erased}
  FROM locked h WHERE ${lookUp({ "f.issuer": "h.issuer", "f.charge_id": "h.id" })}
),
recurrences AS (
  UPDATE @.recurrences r SET
    ${recurrenceTerms.erased}, payer_erased_at = to_timestamp($3),
    terms = (r.terms::jsonb ${personalInJourney})::json
  FROM authorised h WHERE ${lookUp({ "r.issuer": "h.issuer", "r.id": "h.id" })} AND NOT EXISTS (SELECT FROM open)
  RETURNING r.id, r.created_at
),
charges AS (
  UPDATE @.charges c SET ${chargeFacts.and(lastRefund).erased}, payer_erased_at = to_timestamp($3)
  FROM locked h WHERE ${lookUp({ "c.issuer": "h.issuer", "c.id": "h.id" })}
  RETURNING c.id, c.created_at
),
counted AS (
  SELECT
    (SELECT count(*) FROM charges) AS charges, (SELECT id FROM charges ORDER BY created_at, id LIMIT 1) AS charge_id,
    (SELECT count(*) FROM recurrences) AS recurrences,
    (SELECT id FROM recurrences ORDER BY created_at, id LIMIT 1) AS recurrence_id
),
recorded AS (
  INSERT INTO @.audit_entries (issuer, actor, kind, details)
  SELECT $1, $4::text, 'payerErased', json_strip_nulls(json_build_object(
    'charges', n.charges, 'oldestChargeId', n.charge_id, 'recurrences', nullif(n.recurrences, 0),
    'oldestRecurrenceId', n.recurrence_id, 'at', $5::bigint
  ))
  FROM counted n
  WHERE n.charges + n.recurrences > 0
)
SELECT id, false AS is_open FROM charges
UNION ALL SELECT id, false FROM recurrences
UNION ALL SELECT id, true FROM open`)
