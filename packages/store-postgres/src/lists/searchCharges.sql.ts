import type { ChargeStatus } from "@pixcharge/core/charges"
import { chargeColumns, chargeJoins } from "../charges/chargeColumns.sql.ts"
import { paged } from "../database/Sql.ts"

/** A statement's parameters by name; each stands for its number. */
type Numbers = Readonly<Record<string, string>>

const numbered = (names: ReadonlyArray<string>): Numbers =>
  Object.fromEntries(names.map((name, at) => [name, `$${at + 1}`]))

/** Expired and still payable charges are one state; the moment tells them apart. */
const needsMoment = (status: ChargeStatus | undefined): boolean => status === "pending" || status === "expired"

const ofStatus = (status: ChargeStatus | undefined, { at }: Numbers): string => {
  if (status === undefined) return ""
  if (!needsMoment(status)) return `AND c.state = '${status}'`
  return `AND c.state = 'pending' AND c.payable_until ${status === "expired" ? "<" : ">="} to_timestamp(${at})`
}

/** The charges that a text can mean and that are wanted, each by an index; a parameter that is null finds none. */
const found = (
  wanted: string,
  { issuer, from, until, firstId, lastId, endToEndId, payerTaxId, payerName }: Numbers,
): string => {
  const isNamed = (of: string) => `${of}.payer_name IS NOT NULL
    AND @.folded_name(${of}.payer_name) COLLATE "C" >= ${payerName}::text
    AND @.folded_name(${of}.payer_name) COLLATE "C" < ${payerName}::text || chr(1114111)`
  const isPayers = (of: string) => `${of}.payer_tax_id = ${payerTaxId}::text`
  // Texts are in the charge's own row where an earlier release has left them.
  const ofCharges = (condition: string) => `
    SELECT c.id, c.created_at FROM @.charges c WHERE ${wanted} AND ${condition}`
  // Of what one before migration 11 has moved only the charge says when it was created.
  const ofTexts = (condition: string) => `
      SELECT t.id FROM @.archived_texts t
      WHERE t.issuer = ${issuer} AND ${condition}
        AND t.created_at >= to_timestamp(${from}) AND t.created_at < to_timestamp(${until})
      UNION
      SELECT t.id FROM @.archived_texts t WHERE t.issuer = ${issuer} AND ${condition} AND t.created_at IS NULL`
  return `${ofCharges(`c.id BETWEEN ${firstId}::uuid AND ${lastId}::uuid`)}
    UNION${ofCharges(`c.transaction_id BETWEEN ${firstId}::uuid AND ${lastId}::uuid`)}
    UNION${ofCharges(isPayers("c"))}
    UNION${ofCharges(isNamed("c"))}
    UNION
    SELECT c.id, c.created_at FROM (
      SELECT charge_id AS id FROM @.payments
      WHERE issuer = ${issuer} AND end_to_end_id >= ${endToEndId}::text AND end_to_end_id < ${endToEndId}::text || '~'
        AND charge_id IS NOT NULL
      UNION${ofTexts(isPayers("t"))}
      UNION${ofTexts(isNamed("t"))}
    ) f CROSS JOIN LATERAL (SELECT * FROM @.charges c WHERE c.issuer = ${issuer} AND c.id = f.id LIMIT 1) c
    WHERE ${wanted}`
}

/**
 * A company's charges within a period, newest first; with a status, or with a text, only those. The values are to be given in
 * the order of `parameters`; then come the most rows, and where the page before ended.
 */
const searchStatement = (status: ChargeStatus | undefined, hasText: boolean) => {
  const parameters = [
    "issuer",
    "from",
    "until",
    ...(needsMoment(status) ? ["at"] : []),
    ...(hasText ? ["firstId", "lastId", "endToEndId", "payerTaxId", "payerName"] : []),
  ]
  const at = numbered([...parameters, "limit", "createdAt", "id"])
  const wanted = (isFirst: boolean) => `c.issuer = ${at["issuer"]}
      AND c.created_at >= to_timestamp(${at["from"]}) AND c.created_at < to_timestamp(${at["until"]})
      ${ofStatus(status, at)}
      ${isFirst ? "" : `AND (c.created_at, c.id) < (to_timestamp(${at["createdAt"]}), ${at["id"]}::uuid)`}`
  const page = `ORDER BY c.created_at DESC, c.id DESC LIMIT ${at["limit"]}`
  // LATERAL with LIMIT takes each of the page by its id: the planner never scans the table for them, nor the period.
  const source = (isFirst: boolean) =>
    hasText
      ? `(
    SELECT * FROM (${found(wanted(isFirst), at)}) c ${page}
  ) f CROSS JOIN LATERAL (
    SELECT * FROM @.charges c WHERE c.issuer = ${at["issuer"]} AND c.id = f.id LIMIT 1
  ) c`
      : `(SELECT c.* FROM @.charges c WHERE ${wanted(isFirst)} ${page}) c`
  const statement = paged(
    (isFirst) => `
SELECT ${chargeColumns}
FROM ${source(isFirst)} ${chargeJoins}
ORDER BY c.created_at DESC, c.id DESC`,
  )
  return { parameters, statement }
}

const statuses = ["pending", "paid", "expired", "refunding", "refunded", "cancelled", undefined] as const

const statements = new Map(
  statuses.map((status) => [status, { whole: searchStatement(status, false), text: searchStatement(status, true) }]),
)

/** The statement for a search; statuses come from the caller's code, and never as text into a statement. */
export const searchCharges = (status: ChargeStatus | undefined, hasText: boolean) => {
  const known = statements.get(status)
  if (known === undefined) throw new RangeError("a status that no charge has")
  return hasText ? known.text : known.whole
}
