import type { Evidence, Received, Row, Span } from "./Evidence.ts"
import { groupBy } from "./groupBy.ts"
import type { RowIndex } from "./RowIndex.ts"

/**
 * Once, and once more for each incident between the first time and the last: what was sent couldn't be recorded then, and was
 * sent again when its lease had ended or was lost.
 */
const maxTold = (times: ReadonlyArray<Received>, incidents: ReadonlyArray<Span>): number => {
  const moments = times.map(({ at }) => at)
  const [first, last] = [Math.min(...moments), Math.max(...moments)]
  return 1 + incidents.filter(({ from, until }) => from <= last && until >= first).length
}

/** Which events a charge in this state has told; a `paid` that a refund has withdrawn need not have come. */
const toldIn: Readonly<Record<string, ReadonlyArray<string>>> = { paid: ["paid"], refunded: ["refunded", "paid"] }

const judgeCharge = (charge: Row["columns"], told: ReadonlyArray<Received>): ReadonlyArray<string> => {
  const kinds = toldIn[String(charge["state"])] ?? []
  const flaws: Array<string> = []
  const firstOf = (kind: string) => told.find((one) => one.kind === kind)?.at
  if (kinds[0] !== undefined && firstOf(kinds[0]) === undefined) flaws.push(`is ${kinds[0]}, and was not told so`)
  if ((firstOf("paid") ?? 0) > (firstOf("refunded") ?? Infinity)) flaws.push("was told paid after it was told refunded")
  for (const { kind, endToEndId, amountCents } of told) {
    if (!kinds.includes(kind)) flaws.push(`was told ${kind}, and is ${String(charge["state"])}`)
    if (endToEndId !== charge["settled_by"]) flaws.push(`was told ${kind} of a payment that has not settled it`)
    if (amountCents !== charge["amount_cents"]) flaws.push(`was told ${kind} with ${amountCents} cents`)
  }
  return flaws
}

/** Events that did not arrive, arrived too often or too late, or tell what isn't so. */
export const judgeEvents = (evidence: Evidence, rows: RowIndex): ReadonlyArray<string> => {
  const { received, incidents, unsound } = evidence
  const byCharge = groupBy(received, ({ chargeId }) => chargeId)
  const charges = rows.all("charges")
  const known = new Set(charges.map(({ id }) => String(id)))
  const waiting = rows.all("deliveries").filter((row) => row["superseded_at"] === null)
  const often = [...groupBy(received, ({ id }) => id)].filter(([, same]) => same.length > maxTold(same, incidents))
  return [
    ...charges.flatMap((charge) => {
      const id = String(charge["id"])
      return judgeCharge(charge, byCharge.get(id) ?? []).map((flaw) => `charge ${id} ${flaw}`)
    }),
    ...[...byCharge.keys()].filter((id) => !known.has(id)).map((id) => `an event came of ${id}, which is no charge`),
    ...often.map(([id, same]) => `event ${id} was told ${same.length} times`),
    ...waiting.map((row) => `event ${String(row["event_id"])} still waits`),
    ...(unsound > 0 ? [`${unsound} requests to the receiver had no sound event`] : []),
  ]
}
