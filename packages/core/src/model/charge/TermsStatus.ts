import type { Charge } from "./Charge.ts"
import { requestedRow, rowInForce, rowsOf, type TermsRow } from "./TermsRow.ts"

/**
 * `requested` until the bank confirms or refuses the terms; `unanswered` if they or the charge ended, or later terms came, before
 * that; `replaced` once later terms are in force.
 */
export type TermsStatus = "requested" | "unanswered" | "refused" | "inForce" | "replaced"

/** `now` is in epoch milliseconds. */
export const termsStatus = (charge: Charge, row: TermsRow, now: number): TermsStatus => {
  if (row.refusedAt !== undefined) return "refused"
  const rows = rowsOf(charge)
  if (row.inForceAt !== undefined) return row.number === rowInForce(rows).number ? "inForce" : "replaced"
  const isAwaited = charge._tag === "Pending" && row.number === requestedRow(rows)?.number && row.payableUntil > now
  return isAwaited ? "requested" : "unanswered"
}
