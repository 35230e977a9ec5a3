import { endOfBrasiliaDay } from "../calendar/BrasiliaTime.ts"
import { nextBusinessDay } from "../calendar/BusinessDay.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import { addDays, epochDayOf, type LocalDate } from "../calendar/LocalDate.ts"

/** An immediate charge can be paid for 600 seconds from its creation (decision 10). */
export const immediateLifetimeMs = 600_000

const dayMs = 86_400_000

/** What decides until when a charge can be paid. */
export interface ExpiryInput {
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The day as asked for; its absence makes it an immediate charge. */
  readonly dueDate?: LocalDate
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

const expiryOfDueDate = (dueDate: LocalDate, graceDays: number, holidays: Holidays): Expiry => {
  const movedDueDate = nextBusinessDay(dueDate, holidays)
  const lastDay = addDays(movedDueDate, graceDays)
  return {
    payableUntil: endOfBrasiliaDay(lastDay),
    watchUntil: endOfBrasiliaDay(addDays(nextBusinessDay(lastDay, holidays), 1)),
    movedDueDate,
    lastDay,
  }
}

/** More days than the calendar has from its first year to its last. */
const graceDaysBound = 2 ** 22
const mostRemembered = 10_000

/** The charges of a day mostly share their due dates: each is worked out once for a calendar, as long as that lives. */
const remembered = new WeakMap<Holidays, Map<number, Expiry>>()

const memoryOf = (holidays: Holidays): Map<number, Expiry> => {
  const known = remembered.get(holidays)
  if (known !== undefined) return known
  const memory = new Map<number, Expiry>()
  remembered.set(holidays, memory)
  return memory
}

const rememberedExpiry = (dueDate: LocalDate, graceDays: number, holidays: Holidays): Expiry => {
  const memory = memoryOf(holidays)
  const key = epochDayOf(dueDate) * graceDaysBound + graceDays
  const known = memory.get(key)
  if (known !== undefined) return known
  const expiry = Object.freeze(expiryOfDueDate(dueDate, graceDays, holidays))
  if (memory.size >= mostRemembered) memory.clear()
  memory.set(key, expiry)
  return expiry
}

/**
 * An immediate charge is payable for 600 seconds. A due date moves to the next business day and the charge is payable
 * for the grace days after that, to the end of the last one in Brasília; the last day itself is not moved (decision 10).
 *
 * It is watched for longer: the central bank also moves the last day (API Pix, `validadeAposVencimento`, examples A, E
 * and G) and one day is added to that; an immediate charge is watched for one more day, in which a payment that was
 * under way is reported.
 *
 * The answer is remembered for each calendar object, so that a host should keep one for a company and not make one for
 * a charge. Throws a RangeError for grace days that are no whole number from 0, or that leave the calendar.
 */
export const expiryOf = ({ createdAt, dueDate, graceDays, holidays }: ExpiryInput): Expiry => {
  if (dueDate === undefined) {
    const payableUntil = createdAt + immediateLifetimeMs
    return { payableUntil, watchUntil: payableUntil + dayMs }
  }
  if (!(Number.isInteger(graceDays) && graceDays >= 0 && graceDays < graceDaysBound)) {
    throw new RangeError(`grace days must be a whole number from 0, not ${graceDays}`)
  }
  return rememberedExpiry(dueDate, graceDays, holidays)
}
