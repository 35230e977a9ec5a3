import { endOfBrasiliaDay } from "../calendar/BrasiliaTime.ts"
import { nextBusinessDay } from "../calendar/BusinessDay.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import { addDays, type LocalDate } from "../calendar/LocalDate.ts"
import type { ChargeTerms } from "./Charge.ts"
import { immediateLifetimeSeconds } from "./ChargeRequest.ts"

/** An immediate charge can be paid for 600 seconds from its creation, unless its host asks for more or less (decision 10). */
export const immediateLifetimeMs = immediateLifetimeSeconds * 1000

const dayMs = 86_400_000

/** What decides until when a charge can be paid. */
export interface ExpiryInput {
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The day as asked for; its absence makes it an immediate charge. */
  readonly dueDate?: LocalDate
  /** For how many seconds an immediate charge is payable; by default 600. */
  readonly payableForSeconds?: number
  /** Calendar days after the moved due date (API Pix: `validadeAposVencimento`). */
  readonly graceDays: number
  readonly holidays: Holidays
}

/** Until when a charge can be paid; instants are epoch milliseconds. */
export interface Expiry {
  /** Promised to the payer (`data.expira`). */
  readonly payableUntil: number
  /** A payment may come until then all the same; the charge is not given up before. */
  readonly watchUntil: number
  /** The due date, or the business day that it moved to; absent for an immediate charge. */
  readonly movedDueDate?: LocalDate
  /** The last promised day; absent for an immediate charge. */
  readonly lastDay?: LocalDate
}

/**
 * An immediate charge is payable for 600 seconds, or for as long as its host asked. A due date moves to the next business
 * day and the charge is payable for the grace days after that, to the end of the last one in Brasília; the last day
 * itself is not moved (decision 10).
 *
 * It is watched for longer: the central bank also moves the last day (API Pix, `validadeAposVencimento`, examples A, E
 * and G) and one day is added to that; an immediate charge is watched for one more day, in which a payment that was
 * under way is reported.
 *
 * Throws a RangeError for grace days that are no whole number from 0, or that leave the calendar.
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

/** For how many seconds an immediate charge is payable, counted from its creation; undefined for one with a due date. */
export const payableForSeconds = ({
  dueDate,
  createdAt,
  payableUntil,
}: Pick<ChargeTerms, "dueDate" | "createdAt" | "payableUntil">): number | undefined =>
  dueDate === undefined ? (payableUntil - createdAt) / 1000 : undefined
