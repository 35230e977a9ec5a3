import * as Result from "effect/Result"
import { type Holidays, nationalBankHolidays, withHolidays } from "../model/calendar/Holidays.ts"
import { InvalidLocalDate, type LocalDate, parseLocalDate } from "../model/calendar/LocalDate.ts"
import { InvalidOption, optionFlaw } from "../runtime/options.ts"
import type { OptionRule } from "../runtime/OptionRule.ts"

/** JavaScript may hand over anything for a text. */
export const parseDate = (text: string): Result.Result<LocalDate, InvalidLocalDate> =>
  typeof text === "string" ? parseLocalDate(text) : Result.fail(new InvalidLocalDate())

/** The national bank holidays, and the days that a state, a city or a new law adds. */
export const parseHolidays = (localHolidays: ReadonlyArray<string> = []): Result.Result<Holidays, InvalidLocalDate> =>
  localHolidays.length === 0
    ? Result.succeed(nationalBankHolidays)
    : Result.map(Result.all(Array.from(localHolidays, parseDate)), (dates) => withHolidays(nationalBankHolidays, dates))

type Names<A> = A extends unknown ? keyof A & string : never

const anything: OptionRule = { mustBe: "given", holds: () => true }

/** The values of a rule, if it reads each of their names: one that it doesn't know would be ignored, and the answer be another one. */
export const knowNames = <A extends object>(
  caller: string,
  given: A,
  names: ReadonlyArray<Names<A>>,
): Result.Result<A, InvalidOption> => {
  const flaw = optionFlaw<Record<string, unknown>>(given, Object.fromEntries(names.map((name) => [name, anything])))
  return flaw === undefined ? Result.succeed(given) : Result.fail(new InvalidOption({ message: `${caller}: ${flaw}.` }))
}

/** `n` itself. Throws a RangeError if it is no whole number. */
export const whole = (what: string, n: number): number => {
  if (!Number.isSafeInteger(n)) throw new RangeError(`${what} must be a whole number`)
  return n
}
