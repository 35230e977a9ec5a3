import type { Charge } from "@pixcharge/core/charges"
import type { LedgerCharge } from "@pixcharge/simulated-bank"
import { businessDay, momentAt, plusDays } from "./recurrences/calendar.ts"

/**
 * The last moment at which the bank takes a payment, in epoch milliseconds: for a due date, the end of the last day of
 * grace moved to a business day.
 */
export const lastPayableAt = (
  {
    dueDate,
    payableUntil,
    watchUntil,
    termsRows,
  }: Pick<Charge, "dueDate" | "payableUntil" | "watchUntil" | "termsRows">,
  bank: LedgerCharge | undefined,
): number => {
  // Requested terms can be at the bank. Each terms' watch ends a day after their last moment.
  if (termsRows !== undefined) {
    const inForce = termsRows.findLast((row) => row.inForceAt !== undefined)
    const requested = termsRows.slice(-1).filter((row) => row.inForceAt === undefined && row.refusedAt === undefined)
    return Math.max(inForce?.watchUntil ?? watchUntil, ...requested.map((row) => row.watchUntil)) - 86_400_000
  }
  if (dueDate === undefined) return payableUntil
  const graceDays = Number(bank?.terms.body?.calendario["validadeAposVencimento"] ?? 0)
  return momentAt(businessDay(plusDays(businessDay(dueDate), graceDays)), 24) - 1
}
