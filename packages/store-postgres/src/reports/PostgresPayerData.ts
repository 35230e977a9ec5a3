import { PayerData } from "@pixcharge/core"
import type { Cnpj, TaxId } from "@pixcharge/core/party"
import { PayerHasRecurrence, personalRecurrenceFields, type RecurrenceId } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import { chargeFacts, chargeFromRow, chargeTexts, lastRefund, ownTexts, shopTexts } from "../charges/ChargeRow.ts"
import { chargeColumns, chargeJoins, withoutShopTexts } from "../charges/chargeColumns.sql.ts"
import { recurrenceTerms } from "../recurrences/RecurrenceRow.ts"
import { type Database, storeEffect } from "../sql/Database.ts"
import { lookUp, repeatable, unrepeatable } from "../sql/Sql.ts"
import { textIn, toSeconds } from "../sql/values.ts"
import { type Author, currentAuthor } from "../sql/Author.ts"

interface Erasure {
  readonly issuer: Cnpj
  readonly taxId: TaxId
  readonly now: number
  readonly keepReference?: boolean | undefined
}

export const makePayerData = ({ report, run }: Database): PayerData["Service"] => {
  const erase = async (erasure: Erasure, { actor, at }: Author) => {
    const { issuer, taxId, now, keepReference = false } = erasure
    const statement = keepReference ? erasePayerKeepingReference : erasePayer
    const { rows } = await run(statement, [issuer, taxId, toSeconds(now), actor ?? null, at ?? null])
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
    erase: (issuer, taxId, now, options = {}) =>
      Effect.flatMap(currentAuthor, (author) =>
        Effect.flatten(storeEffect("erasePayer", () => erase({ issuer, taxId, now, ...options }, author))),
      ),
  })
}

const payerCharges = "ARRAY(SELECT id FROM @.charge_texts WHERE issuer = $1 AND payer_tax_id = $2)"

const ownTextsOf = (alias: string): string =>
  lookUp({ [`${alias}.issuer`]: "h.issuer", [`${alias}.created_at`]: "h.created_at", [`${alias}.id`]: "h.id" })

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

/** Removes reference and metadata from events. A delivery settled at that moment keeps them until maintenance deletes it. */
const erasedEvents = `
referenced AS MATERIALIZED (
  SELECT h.issuer, h.id FROM locked h JOIN @.charge_texts t ON ${ownTextsOf("t")}
  WHERE ${shopTexts.columns.map(({ name }) => `t.${name} IS NOT NULL`).join(" OR ")}
),
waiting AS MATERIALIZED (
  SELECT d.issuer, d.event_id, d.endpoint_id
  FROM (SELECT * FROM referenced ORDER BY id) h CROSS JOIN LATERAL (
    SELECT issuer, event_id, endpoint_id FROM @.deliveries
    WHERE issuer = h.issuer AND charge_id = h.id
    ORDER BY event_id, endpoint_id
    FOR UPDATE
  ) d
),
waiting_events AS (
  UPDATE @.deliveries d SET event = ${withoutShopTexts("d.event")}
  FROM waiting w
  WHERE ${lookUp({ "d.issuer": "w.issuer", "d.event_id": "w.event_id", "d.endpoint_id": "w.endpoint_id" })}
),
settled_events AS (
  UPDATE @.settled_deliveries d SET event = ${withoutShopTexts("d.event")}
  FROM referenced h WHERE ${lookUp({ "d.charge_id": "h.id" })} AND d.issuer = h.issuer
),`

const payerTexts = chargeTexts.and(ownTexts)

/**
 * Erases payer $2 of company $1 at $3 (in seconds since the epoch): name and tax id, account, and the texts that can name the
 * payer; unless `keepReference`, also reference and metadata, in events too. While a recurrence of the payer is open, only
 * returns its row; otherwise erases, and returns a row for each charge and recurrence. Records the erasure in the audit log, with
 * the actor $4 (or null), the oldest charge and recurrence, and the time $5 of a provided clock (in epoch milliseconds, or null).
 * Locks recurrences before charges.
 */
const erasure = (keepReference: boolean) =>
  unrepeatable(`
WITH authorised AS MATERIALIZED (
  SELECT r.issuer, r.id, r.state FROM @.recurrences r
  WHERE r.issuer = $1 AND r.payer_tax_id = $2
  ORDER BY r.id
  FOR UPDATE
),
open AS MATERIALIZED (SELECT id FROM authorised WHERE state <> 'ended' LIMIT 1),
locked AS MATERIALIZED (
  SELECT c.issuer, c.created_at, c.id FROM @.charges c
  WHERE c.issuer = $1 AND c.id = ANY (${payerCharges}) AND NOT EXISTS (SELECT FROM open)
  ORDER BY c.id
  FOR UPDATE
),
texts AS (
  UPDATE @.charge_texts a SET ${(keepReference ? payerTexts : payerTexts.and(shopTexts)).erased}
  FROM locked h WHERE ${ownTextsOf("a")}
),
${keepReference ? "" : erasedEvents}
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
  UPDATE @.charges c SET ${chargeFacts.and(lastRefund).erased}, payer_erased_at = to_timestamp($3)${keepReference ? ", reference_kept = true" : ""}
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
    'oldestRecurrenceId', n.recurrence_id, 'keepReference', ${keepReference ? "true" : "NULL"}, 'at', $5::bigint
  ))
  FROM counted n
  WHERE n.charges + n.recurrences > 0
)
SELECT id, false AS is_open FROM charges
UNION ALL SELECT id, false FROM recurrences
UNION ALL SELECT id, true FROM open`)

export const erasePayer = erasure(false)

export const erasePayerKeepingReference = erasure(true)
