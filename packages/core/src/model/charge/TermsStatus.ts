import type { Charge } from "./Charge.ts"
import { currentRow, liveRow, rowsOf, type TermsRow } from "./TermsRow.ts"

/**
 * `requested` until the bank confirms or refuses the terms; `unanswered` if they or the charge ended, or later terms came, before
 * that; `replaced` once later terms are in force.
 */
export type TermsStatus = "requested" | "unanswered" | "refused" | "inForce" | "replaced"

/** `now` is in epoch milliseconds. */
export const termsStatus = (charge: Charge, row: TermsRow, now: number): TermsStatus => {
  if (row.refusedAt !== undefined) return "refused"
  const rows = rowsOf(charge)
  if (row.inForceAt !== undefined) return row.number === currentRow(rows).number ? "inForce" : "replaced"
  const isAwaited = charge._tag === "Pending" && row.number === liveRow(rows)?.number && row.payableUntil > now
  return isAwaited ? "requested" : "unanswered"
}
