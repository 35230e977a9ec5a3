import * as Result from "effect/Result"
import { type Holidays, nationalBankHolidays, withHolidays } from "../calendar/Holidays.ts"
import { InvalidLocalDate, type LocalDate, parseLocalDate } from "../calendar/LocalDate.ts"

/** JavaScript may hand over anything for a text. */
export const parseDate = (text: string): Result.Result<LocalDate, InvalidLocalDate> =>
  typeof text === "string" ? parseLocalDate(text) : Result.fail(new InvalidLocalDate())

/** The national bank holidays, and the days that a state, a city or a new law adds. */
export const parseHolidays = (localHolidays: ReadonlyArray<string> = []): Result.Result<Holidays, InvalidLocalDate> =>
  localHolidays.length === 0
    ? Result.succeed(nationalBankHolidays)
    : Result.map(Result.all(Array.from(localHolidays, parseDate)), (dates) => withHolidays(nationalBankHolidays, dates))

/** `n` itself. Throws a RangeError if it is no whole number. */
export const whole = (what: string, n: number): number => {
  if (!Number.isSafeInteger(n)) throw new RangeError(`${what} must be a whole number`)
  return n
}
