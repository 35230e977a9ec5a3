import { endOfBrasiliaDay } from "../calendar/BrasiliaTime.ts"
import { nextBusinessDay } from "../calendar/BusinessDay.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import { addDays, type LocalDate } from "../calendar/LocalDate.ts"
import type { ChargeTerms } from "./ChargeTerms.ts"
import { immediateLifetimeSeconds } from "./ChargeRequest.ts"

/** The default time to pay of an immediate charge (decision 10). */
export const immediateLifetimeMs = immediateLifetimeSeconds * 1000

const dayMs = 86_400_000

export interface ExpiryInput {
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The requested day; absent for an immediate charge. */
  readonly dueDate?: LocalDate
  /** How many seconds an immediate charge is payable; by default 600. */
  readonly payableForSeconds?: number
  /** Calendar days after the moved due date (API Pix: `validadeAposVencimento`). */
  readonly graceDays: number
  readonly holidays: Holidays
}

/** Instants are epoch milliseconds. */
export interface Expiry {
  /** The end of the promised time to pay (`data.expira`). */
  readonly payableUntil: number
  /** The end of the watch for a late payment. */
  readonly watchUntil: number
  /** The due date or the next business day; absent for an immediate charge. */
  readonly movedDueDate?: LocalDate
  /** The last day of the promised time to pay; absent for an immediate charge. */
  readonly lastDay?: LocalDate
}

/**
 * Until when a charge is payable and watched (decision 10). A due date moves to the next business day, and the charge
 * is payable to the end of the last grace day in Brasília.
 *
 * The watch lasts one more day, because a bank can report a payment late. With a due date, this day follows the last
 * grace day moved to a business day, because the central bank moves it too (API Pix, `validadeAposVencimento`, examples
 * A, E and G).
 *
 * Throws a RangeError unless the grace days are a whole number from 0 and stay inside the calendar.
 *
 * @example
 * ```ts
 * import { nationalBankHolidays, parseLocalDate } from "@pixcharge/core/calendar"
 * import { chargeExpiry } from "@pixcharge/core/charges"
 * import * as Result from "effect/Result"
 *
 * const dueDate = Result.getOrThrow(parseLocalDate("2026-11-22"))
 * chargeExpiry({ createdAt: 0, dueDate, graceDays: 5, holidays: nationalBankHolidays }).lastDay // => "2026-11-28"
 * ```
 */
export const chargeExpiry = ({ createdAt, dueDate, payableForSeconds, graceDays, holidays }: ExpiryInput): Expiry => {
  if (dueDate === undefined) {
    const payableUntil = createdAt + (payableForSeconds ?? immediateLifetimeSeconds) * 1000
    return { payableUntil, watchUntil: payableUntil + dayMs }
  }
  if (!(Number.isInteger(graceDays) && graceDays >= 0)) {
    throw new RangeError(`grace days must be a whole number from 0, not ${graceDays}`)
  }
  const movedDueDate = nextBusinessDay(dueDate, holidays)
  const lastDay = addDays(movedDueDate, graceDays)
  return {
    payableUntil: endOfBrasiliaDay(lastDay),
    watchUntil: endOfBrasiliaDay(addDays(nextBusinessDay(lastDay, holidays), 1)),
    movedDueDate,
    lastDay,
  }
}

/** How many seconds the charge was payable at issue; undefined with a due date. */
export const payableForSeconds = ({
  dueDate,
  createdAt,
  payableUntil,
}: Pick<ChargeTerms, "dueDate" | "createdAt" | "payableUntil">): number | undefined =>
  dueDate === undefined ? (payableUntil - createdAt) / 1000 : undefined
