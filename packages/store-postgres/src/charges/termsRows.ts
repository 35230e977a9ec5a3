import type { Change } from "@pixcharge/core"
import { type ChargeTerms, personalFields, type TermsRow } from "@pixcharge/core/charges"
import { bigint, Columns, day, instant, json } from "../sql/Columns.ts"
import { lookUp } from "../sql/Sql.ts"
import { chargeTexts, ownTexts, shopTexts, writeTexts } from "./ChargeRow.ts"

/** By number. */
export const termsRows = new Columns<{ readonly termsRows: Readonly<Record<string, TermsRow>> }>({
  termsRows: { ...json, type: "jsonb" },
})

/** The columns of `charges` that a change writes. */
export const changedFacts = new Columns<Pick<ChargeTerms, "amountCents" | "dueDate" | "payableUntil" | "watchUntil">>({
  amountCents: bigint,
  dueDate: day,
  payableUntil: instant,
  watchUntil: instant,
})

export const changedFactsRow = ({ next, termsRows: rows }: Change) =>
  next === undefined || rows === undefined ? {} : changedFacts.toRow(next)

export const changedTextsRows = ({ issuer, id, next, termsRows: rows }: Change) => {
  if (next === undefined || rows === undefined) return []
  const row: Record<string, unknown> = { issuer, id, created_at: instant.write(next.createdAt) }
  writeTexts(row, next)
  termsRows.write(row, { termsRows: Object.fromEntries(rows.map((one) => [one.number, one])) })
  return [row]
}

const personal = Object.entries(personalFields.terms).flatMap(([name, isPersonal]) => (isPersonal ? [name] : []))
const shopNames = shopTexts.columns.map(({ name }) => name)
const namesIn = (names: ReadonlyArray<string>): string => `ARRAY[${names.map((name) => `'${name}'`).join(", ")}]`

/** The rows without personal fields. Reference and metadata stay if `keepsShopTexts` holds. */
export const erasedRows = (rows: string, keepsShopTexts: string): string => `(
    SELECT jsonb_object_agg(r.key, r.value - CASE WHEN ${keepsShopTexts}
      THEN ${namesIn(personal.filter((name) => !shopNames.includes(name)))} ELSE ${namesIn(personal)} END)
    FROM jsonb_each(${rows}) r
  )`

/** Whether the charge of the texts has kept its reference or metadata. */
export const hasShopTexts = (alias: string): string => `num_nonnulls(${shopTexts.named(alias)}) > 0`

const newTexts = chargeTexts.and(ownTexts)

/** Rows are added, or replaced by number. An erased payer's texts aren't stored. */
export const changedTexts = `changed_texts AS (
  UPDATE @.charge_texts a SET
    ${newTexts.set("n", "n")},
    ${shopNames.map((name) => `${name} = CASE WHEN n.payer_erased_at IS NULL THEN n.${name} ELSE a.${name} END`).join(", ")},
    terms_rows = coalesce(a.terms_rows, '{}') || CASE WHEN n.payer_erased_at IS NULL THEN n.terms_rows ELSE ${erasedRows("n.terms_rows", hasShopTexts("a"))} END
  FROM (
    SELECT t.*, m.payer_erased_at
    FROM json_to_recordset($10::json) AS t (
      issuer text, id uuid, created_at float8, ${newTexts.and(shopTexts, termsRows).recordset}
    )
    JOIN moved_charge m ON m.issuer = t.issuer AND m.id = t.id
  ) n
  WHERE ${lookUp({ "a.issuer": "n.issuer", "a.created_at": "to_timestamp(n.created_at)", "a.id": "n.id" })}
)`
