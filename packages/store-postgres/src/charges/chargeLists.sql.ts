import { paymentColumns, returnColumns } from "../charges/ChargeRow.ts"
import { paged, repeatable } from "../sql/Sql.ts"

// Of every list: $1 issuer; $2 and $3 the period, in seconds since the epoch; $4 the maximum of rows; from $5 on where the page
// before ended.

const unlessFirst = (isFirst: boolean, condition: string): string => (isFirst ? "" : `AND ${condition}`)

/** A company's payments within a period, oldest first and then by endToEndId. */
export const listPayments = paged(
  (isFirst) => `
SELECT ${paymentColumns.shown("p")}
FROM @.payments p
WHERE p.issuer = $1 AND p.paid_at >= to_timestamp($2) AND p.paid_at < to_timestamp($3)
  ${unlessFirst(isFirst, "(p.paid_at, p.end_to_end_id) > (to_timestamp($5), $6::text)")}
ORDER BY p.paid_at, p.end_to_end_id
LIMIT $4`,
)

/** A company's returns within a period, oldest first. */
export const listReturns = paged(
  (isFirst) => `
SELECT ${returnColumns.shown("r")}
FROM @.returns r
WHERE r.issuer = $1 AND r.returned_at >= to_timestamp($2) AND r.returned_at < to_timestamp($3)
  ${unlessFirst(isFirst, "(r.returned_at, r.end_to_end_id, r.id) > (to_timestamp($5), $6::text, $7::text)")}
ORDER BY r.returned_at, r.end_to_end_id, r.id
LIMIT $4`,
)

/** The returns of the payments $2, a JSON array, of company $1, oldest first: each payment's are found by its key. */
export const findReturns = repeatable(`
SELECT ${returnColumns.shown("r")}
FROM (SELECT DISTINCT e FROM json_array_elements_text($2::json) e) named
CROSS JOIN LATERAL (
  SELECT * FROM @.returns r WHERE r.issuer = $1 AND r.end_to_end_id = named.e OFFSET 0
) r
ORDER BY r.returned_at, r.end_to_end_id, r.id`)

/** The payments $2, a JSON array, of company $1, matched or not: each is found by its key. */
export const findPayments = repeatable(`
SELECT ${paymentColumns.shown("p")}
FROM (SELECT DISTINCT e FROM json_array_elements_text($2::json) e) named
CROSS JOIN LATERAL (
  SELECT * FROM @.payments p WHERE p.issuer = $1 AND p.end_to_end_id = named.e OFFSET 0
) p`)

/** Payment $2 of company $1, matched or not. */
export const findPayment = repeatable(
  `SELECT ${paymentColumns.shown("p")} FROM @.payments p WHERE p.issuer = $1 AND p.end_to_end_id = $2`,
)
