import * as Result from "effect/Result"
import { type Holidays, nationalBankHolidays, withHolidays } from "../model/calendar/Holidays.ts"
import { InvalidLocalDate, type LocalDate, parseLocalDate } from "../model/calendar/LocalDate.ts"
import type { OptionRule } from "../runtime/OptionRule.ts"
import { InvalidOption, optionFlaw } from "../runtime/options.ts"

/** Result of a rule's `safe` form: its value, or the error that the call throws. */
export type Outcome<A, E> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly error: E }

/**
 * A rule on plain values. The call throws its error; the `safe` form returns it. The error is a RangeError for a number that
 * must be whole and isn't, and for a year outside 0001 to 9999.
 */
export interface Rule<Args extends ReadonlyArray<unknown>, A, E> {
  (...args: Args): A
  readonly safe: (...args: Args) => Outcome<A, E | RangeError>
}

export const rule = <Args extends ReadonlyArray<unknown>, A, E>(
  apply: (...args: Args) => Result.Result<A, E>,
): Rule<Args, A, E> => {
  const safe = (...args: Args): Outcome<A, E | RangeError> => {
    try {
      const result = apply(...args)
      return Result.isSuccess(result) ? { ok: true, value: result.success } : { ok: false, error: result.failure }
    } catch (error) {
      if (error instanceof RangeError) return { ok: false, error }
      throw error
    }
  }
  return Object.assign((...args: Args): A => Result.getOrThrow(apply(...args)), { safe })
}

/** Callers in JavaScript can pass a value that isn't a string. */
export const parseDate = (text: string): Result.Result<LocalDate, InvalidLocalDate> =>
  typeof text === "string" ? parseLocalDate(text) : Result.fail(new InvalidLocalDate())

export const parseHolidays = (localHolidays: ReadonlyArray<string> = []): Result.Result<Holidays, InvalidLocalDate> =>
  localHolidays.length === 0
    ? Result.succeed(nationalBankHolidays)
    : Result.map(Result.all(Array.from(localHolidays, parseDate)), (dates) => withHolidays(nationalBankHolidays, dates))

type Names<A> = A extends unknown ? keyof A & string : never

const anything: OptionRule = { mustBe: "given", holds: () => true }

/** Refuses unknown names. */
export const knowNames = <A extends object>(
  caller: string,
  given: A,
  names: ReadonlyArray<Names<A>>,
): Result.Result<A, InvalidOption> => {
  const flaw = optionFlaw<Record<string, unknown>>(given, Object.fromEntries(names.map((name) => [name, anything])))
  return flaw === undefined ? Result.succeed(given) : Result.fail(new InvalidOption({ message: `${caller}: ${flaw}.` }))
}

export const whole = (what: string, n: number): number => {
  if (!Number.isSafeInteger(n)) throw new RangeError(`${what} must be a whole number`)
  return n
}
