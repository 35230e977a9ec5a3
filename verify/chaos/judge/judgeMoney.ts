import type { LedgerPayment } from "@pixcharge/simulated-bank"
import type { Evidence } from "./Evidence.ts"
import type { RowIndex } from "./RowIndex.ts"

/** The cents of a payment that went back. */
export const returnedCents = ({ returns }: LedgerPayment): number =>
  returns.filter(({ status }) => status === "returned").reduce((sum, { amountCents }) => sum + amountCents, 0)

/** What the books have of a payment, against what the bank has. */
const judgePayment = (payment: LedgerPayment, rows: RowIndex): ReadonlyArray<string> => {
  const { endToEndId, issuer, amountCents, returns } = payment
  const flaws: Array<string> = []
  const booked = rows.of("payments", endToEndId)
  if (booked.length !== 1) flaws.push(`payment ${endToEndId} is in the books ${booked.length} times`)
  for (const row of booked) {
    if (row["issuer"] !== issuer || row["amount_cents"] !== amountCents) {
      flaws.push(
        `payment ${endToEndId} is booked with ${String(row["amount_cents"])} cents of ${String(row["issuer"])}`,
      )
    }
  }
  const told = rows.of("returns", endToEndId).map((row) => `${String(row["id"])} of ${String(row["amount_cents"])}`)
  const made = returns.filter(({ status }) => status === "returned").map((one) => `${one.id} of ${one.amountCents}`)
  for (const one of made) if (!told.includes(one)) flaws.push(`return ${one} of ${endToEndId} is not in the books`)
  for (const one of told) if (!made.includes(one)) flaws.push(`return ${one} of ${endToEndId} is none of the bank's`)
  if (returnedCents(payment) > amountCents) flaws.push(`payment ${endToEndId} went back beyond what was paid`)
  return flaws
}

/** Payments and returns that the books lack, have twice or otherwise, or that nobody made. */
export const judgeMoney = ({ payments }: Evidence, rows: RowIndex): ReadonlyArray<string> => {
  const known = new Set(payments.map(({ endToEndId }) => endToEndId))
  const invented = [...rows.all("payments"), ...rows.all("returns")]
    .map((row) => String(row["end_to_end_id"]))
    .filter((endToEndId) => !known.has(endToEndId))
  return [
    ...payments.flatMap((payment) => judgePayment(payment, rows)),
    ...invented.map((endToEndId) => `payment ${endToEndId} is in the books, and nobody has made it`),
  ]
}
