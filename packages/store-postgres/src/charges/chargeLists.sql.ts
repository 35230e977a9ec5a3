import type { ChargeSearch } from "@pixcharge/core"
import { type ChargeStatus, chargeStatuses, foldName } from "@pixcharge/core/charges"
import { paged, repeatable } from "../sql/Sql.ts"
import { paymentColumns, returnColumns } from "./ChargeRow.ts"
import { chargeColumns, chargeJoins, isGivenUp } from "./chargeColumns.sql.ts"

// Parameters of every list: $1 is the issuer; $2 and $3 are the period, in seconds since the epoch; $4 is the maximum number of
// rows; $5 and later are the end of the previous page.

const unlessFirst = (isFirst: boolean, condition: string): string => (isFirst ? "" : `AND ${condition}`)

export const listPayments = paged(
  (isFirst) => `
SELECT ${paymentColumns.shown("p")}
FROM @.payments p
WHERE p.issuer = $1 AND p.paid_at >= to_timestamp($2) AND p.paid_at < to_timestamp($3)
  ${unlessFirst(isFirst, "(p.paid_at, p.end_to_end_id) > (to_timestamp($5), $6::text)")}
ORDER BY p.paid_at, p.end_to_end_id
LIMIT $4`,
)

export const listReturns = paged(
  (isFirst) => `
SELECT ${returnColumns.shown("r")}
FROM @.returns r
WHERE r.issuer = $1 AND r.returned_at >= to_timestamp($2) AND r.returned_at < to_timestamp($3)
  ${unlessFirst(isFirst, "(r.returned_at, r.end_to_end_id, r.id) > (to_timestamp($5), $6::text, $7::text)")}
ORDER BY r.returned_at, r.end_to_end_id, r.id
LIMIT $4`,
)

export const findReturns = repeatable(`
SELECT ${returnColumns.shown("r")}
FROM (SELECT DISTINCT e FROM json_array_elements_text($2::json) e) named
CROSS JOIN LATERAL (
  SELECT * FROM @.returns r WHERE r.issuer = $1 AND r.end_to_end_id = named.e OFFSET 0
) r
ORDER BY r.returned_at, r.end_to_end_id, r.id`)

/** $2 is a JSON array of endToEndIds. */
export const findPayments = repeatable(`
SELECT ${paymentColumns.shown("p")}
FROM (SELECT DISTINCT e FROM json_array_elements_text($2::json) e) named
CROSS JOIN LATERAL (
  SELECT * FROM @.payments p WHERE p.issuer = $1 AND p.end_to_end_id = named.e OFFSET 0
) p`)

export const findPayment = repeatable(
  `SELECT ${paymentColumns.shown("p")} FROM @.payments p WHERE p.issuer = $1 AND p.end_to_end_id = $2`,
)

/** $3, $4 and $5 are beginnings of the id $2, which few payments share. */
export const findPaymentInAnyCase = repeatable(`
SELECT ${paymentColumns.shown("p")}
FROM (SELECT DISTINCT b FROM unnest(ARRAY[$3::text, $4::text, $5::text]) b) beginning
CROSS JOIN LATERAL (
  SELECT * FROM @.payments p
  WHERE p.issuer = $1 AND p.end_to_end_id >= beginning.b AND p.end_to_end_id < beginning.b || '~'
    AND lower(p.end_to_end_id) = lower($2 COLLATE "C")
  OFFSET 0
) p
ORDER BY p.end_to_end_id <> $2
LIMIT 1`)

type Numbers = Readonly<Record<string, string>>

const numberParameters = (names: ReadonlyArray<string>): Numbers =>
  Object.fromEntries(names.map((name, index) => [name, `$${index + 1}`]))

/** Expired and payable charges have the same state. */
const needsMoment = (status: ChargeStatus | undefined): boolean => status === "pending" || status === "expired"

const statusCondition = (status: ChargeStatus | undefined, { at }: Numbers): string => {
  if (status === undefined) return ""
  if (status === "failed") return `AND c.state = 'pending' AND ${isGivenUp("c")}`
  if (!needsMoment(status)) return `AND c.state = '${status}'`
  return `AND c.state = 'pending' AND (${isGivenUp("c")}) IS NOT TRUE
      AND c.payable_until ${status === "expired" ? "<" : ">="} to_timestamp(${at})`
}

/** Finds each kind of match by its own index. A null parameter matches no charge. */
const selectByText = (
  period: (alias: string) => string,
  condition: string,
  {
    issuer,
    from,
    until,
    firstId,
    lastId,
    endToEndId,
    payerTaxId,
    payerWord,
    payerPattern,
    amountCents,
    reference,
  }: Numbers,
): string => {
  // Postgres checks once whether there is a pattern. Without a pattern, it reads no names.
  const hasName = `t.payer_name IS NOT NULL AND ${payerPattern}::text IS NOT NULL
    AND ${hasPayerName("t", String(payerWord), String(payerPattern))}`
  const selectCharges = (match: string) => `
    SELECT c.id, c.created_at FROM @.charges c WHERE ${period("c")} ${condition} AND ${match}`
  const selectTexts = (match: string) => `
      SELECT t.id FROM @.charge_texts t WHERE ${period("t")} AND ${match}`
  return `${selectCharges(`c.id BETWEEN ${firstId}::uuid AND ${lastId}::uuid`)}
    UNION${selectCharges(`c.transaction_id BETWEEN ${firstId}::uuid AND ${lastId}::uuid`)}
    UNION${selectCharges(`${amountCents}::bigint IS NOT NULL AND c.amount_cents = ${amountCents}::bigint`)}
    UNION
    SELECT c.id, c.created_at FROM (
      SELECT charge_id AS id FROM @.payments
      WHERE issuer = ${issuer} AND end_to_end_id >= ${endToEndId}::text AND end_to_end_id < ${endToEndId}::text || '~'
        AND charge_id IS NOT NULL
      UNION
      SELECT charge_id FROM @.payments
      WHERE ${amountCents}::bigint IS NOT NULL AND issuer = ${issuer}
        AND paid_at >= to_timestamp(${from}) AND paid_at < to_timestamp(${until})
        AND amount_cents = ${amountCents}::bigint AND charge_id IS NOT NULL
      UNION${selectTexts(`${payerTaxId}::text IS NOT NULL AND t.payer_tax_id = ${payerTaxId}::text`)}
      UNION${selectTexts(`t.reference = ${reference}::text`)}
      UNION${selectTexts(hasName)}
    ) f CROSS JOIN LATERAL (SELECT * FROM @.charges c WHERE c.issuer = ${issuer} AND c.id = f.id LIMIT 1) c
    WHERE ${period("c")} ${condition}`
}

const paidCondition = ({ issuer, paidFrom, paidUntil }: Numbers): string => `AND c.id IN (
        SELECT charge_id FROM @.payments
        WHERE issuer = ${issuer} AND settles AND paid_at >= to_timestamp(${paidFrom}) AND paid_at < to_timestamp(${paidUntil})
      )`

const textParameters = [
  "firstId",
  "lastId",
  "endToEndId",
  "payerTaxId",
  "payerWord",
  "payerPattern",
  "amountCents",
  "reference",
]

/** Each combination has its own statement. */
interface SearchShape {
  readonly status: ChargeStatus | undefined
  readonly hasText: boolean
  readonly hasAmount: boolean
  readonly hasDue: boolean
  readonly hasPaid: boolean
}

/** The statement takes `parameters`, then the maximum number of rows, then the end of the previous page. */
const searchStatement = ({ status, hasText, hasAmount, hasDue, hasPaid }: SearchShape) => {
  const parameters = [
    "issuer",
    "from",
    "until",
    ...(needsMoment(status) ? ["at"] : []),
    ...(hasText ? textParameters : []),
    ...(hasAmount ? ["minCents", "maxCents"] : []),
    ...(hasDue ? ["dueFrom", "dueUntil"] : []),
    ...(hasPaid ? ["paidFrom", "paidUntil"] : []),
  ]
  const at = numberParameters([...parameters, "limit", "createdAt", "id"])
  const period = (isFirst: boolean) => (alias: string) =>
    `${alias}.issuer = ${at["issuer"]}
      AND ${alias}.created_at >= to_timestamp(${at["from"]}) AND ${alias}.created_at < to_timestamp(${at["until"]})
      ${isFirst ? "" : `AND (${alias}.created_at, ${alias}.id) < (to_timestamp(${at["createdAt"]}), ${at["id"]}::uuid)`}`
  const condition = `${statusCondition(status, at)}
      ${hasAmount ? `AND c.amount_cents >= ${at["minCents"]}::bigint AND c.amount_cents <= ${at["maxCents"]}::bigint` : ""}
      ${hasDue ? `AND c.due_date >= ${at["dueFrom"]}::date AND c.due_date <= ${at["dueUntil"]}::date` : ""}
      ${hasPaid ? paidCondition(at) : ""}`
  const page = `ORDER BY c.created_at DESC, c.id DESC LIMIT ${at["limit"]}`
  // LATERAL with LIMIT finds each charge by its id, without a scan of the table or the period.
  const source = (isFirst: boolean) =>
    hasText
      ? `(
    SELECT * FROM (${selectByText(period(isFirst), condition, at)}) c ${page}
  ) f CROSS JOIN LATERAL (
    SELECT * FROM @.charges c WHERE c.issuer = ${at["issuer"]} AND c.id = f.id LIMIT 1
  ) c`
      : `(SELECT c.* FROM @.charges c WHERE ${period(isFirst)("c")} ${condition} ${page}) c`
  const statement = paged(
    (isFirst) => `
SELECT ${chargeColumns}
FROM ${source(isFirst)} ${chargeJoins}
ORDER BY c.created_at DESC, c.id DESC`,
  )
  return { parameters, statement }
}

const statements = new Map<string, ReturnType<typeof searchStatement>>()

/** Checks the status, because the caller's text must not become SQL. */
export const searchCharges = ({ status, text, amount, due, paid }: Partial<ChargeSearch>) => {
  if (status !== undefined && !chargeStatuses.includes(status.is)) throw new RangeError("a status that no charge has")
  const shape: SearchShape = {
    status: status?.is,
    hasText: text !== undefined,
    hasAmount: amount !== undefined,
    hasDue: due !== undefined,
    hasPaid: paid !== undefined,
  }
  const key = Object.values(shape).join()
  const known = statements.get(key) ?? searchStatement(shape)
  statements.set(key, known)
  return known
}

/** The letters that fold to each letter. ISO 8859-1 contains all capital and accented letters. */
const unfolded = new Map<string, string>()
for (let point = 0x21; point <= 0xff; point++) {
  const letter = String.fromCodePoint(point)
  const folded = foldName(letter)
  unfolded.set(folded, (unfolded.get(folded) ?? "") + letter)
}

const toExpression = (letter: string): string => {
  const letters = unfolded.get(letter) ?? letter
  if (letters.length > 1 && letters !== letter) return `[${letters}]`
  return /^[!-/:-@[-`{-~]$/.test(letter) ? `\\${letter}` : letter
}

/** A longer expression takes longer to compile and excludes few more names. */
const maxLetters = 32

/**
 * A regular expression for the longest of `words`. It matches names before they are folded, because folding takes ten times as
 * long.
 */
export const nameBeginning = (words: ReadonlyArray<string>): string => {
  const maxWord = words.reduce((max, word) => (word.length > max.length ? word : max), "")
  return `[ '’-]${[...maxWord].slice(0, maxLetters).map(toExpression).join("")}`
}

export const namePattern = (words: ReadonlyArray<string>): string =>
  words.map((word) => `% ${word.replaceAll(/[\\%_]/g, "\\$&")}`).join("") + "%"

export const hasPayerName = (alias: string, beginning: string, pattern: string): string =>
  `(' ' || ${alias}.payer_name) COLLATE "C" ~ ${beginning}::text AND ' ' || translate(@.folded_name(${alias}.payer_name), '''’-', '   ') LIKE ${pattern}::text`
