import * as Result from "effect/Result"
import {
  brasiliaDate as brasiliaDateAt,
  brasiliaWallClock as brasiliaWallClockAt,
  endOfBrasiliaDay as endOfDay,
  startOfBrasiliaDay as startOfDay,
} from "../model/calendar/BrasiliaTime.ts"
import * as BusinessDay from "../model/calendar/BusinessDay.ts"
import * as Holidays from "../model/calendar/Holidays.ts"
import * as LocalDate from "../model/calendar/LocalDate.ts"
import { parseDate, parseHolidays, rule, whole } from "./Rule.ts"

/** Whether banks are open on a day: no weekend, national bank holiday or day of `localHolidays`. Error: `InvalidLocalDate`. */
export const isBusinessDay = /* @__PURE__ */ rule((date: string, localHolidays?: ReadonlyArray<string>) =>
  Result.gen(function* () {
    return BusinessDay.isBusinessDay(yield* parseDate(date), yield* parseHolidays(localHolidays))
  }),
)

/**
 * The day itself if it is a business day, otherwise the next one. Error: `InvalidLocalDate`.
 *
 * @example
 * ```ts
 * import { nextBusinessDay } from "@pixcharge/core/plain"
 *
 * nextBusinessDay("2027-02-08") // => "2027-02-10"
 * nextBusinessDay.safe("2027-02-30").ok // => false
 * ```
 */
export const nextBusinessDay = /* @__PURE__ */ rule((date: string, localHolidays?: ReadonlyArray<string>) =>
  Result.gen(function* () {
    return BusinessDay.nextBusinessDay(yield* parseDate(date), yield* parseHolidays(localHolidays))
  }),
)

/** The nth business day after a day, or before it if `n` is negative. Error: `InvalidLocalDate`. */
export const addBusinessDays = /* @__PURE__ */ rule((date: string, n: number, localHolidays?: ReadonlyArray<string>) =>
  Result.gen(function* () {
    return BusinessDay.addBusinessDays(yield* parseDate(date), n, yield* parseHolidays(localHolidays))
  }),
)

/** Business days after `from` up to and including `to`; negative if `to` is earlier. Error: `InvalidLocalDate`. */
export const businessDaysBetween = /* @__PURE__ */ rule(
  (from: string, to: string, localHolidays?: ReadonlyArray<string>) =>
    Result.gen(function* () {
      const [first, last] = [yield* parseDate(from), yield* parseDate(to)]
      return BusinessDay.businessDaysBetween(first, last, yield* parseHolidays(localHolidays))
    }),
)

/** The day `days` calendar days later, or earlier if `days` is negative. Error: `InvalidLocalDate`. */
export const addDays = /* @__PURE__ */ rule((date: string, days: number) =>
  Result.map(parseDate(date), (day) => LocalDate.addDays(day, whole("days", days))),
)

/** Calendar days from one day to another; negative if `to` is earlier. Error: `InvalidLocalDate`. */
export const daysBetween = /* @__PURE__ */ rule((from: string, to: string) =>
  Result.gen(function* () {
    return LocalDate.daysBetween(yield* parseDate(from), yield* parseDate(to))
  }),
)

/** A national bank holiday and its Brazilian name. */
export interface NationalHoliday {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly name: string
}

/** National bank holidays of a year from 1 to 9999, earliest first, including holidays on weekends. */
export const nationalHolidays = /* @__PURE__ */ rule((year: number): Result.Result<ReadonlyArray<NationalHoliday>> => {
  if (!(Number.isInteger(year) && year >= 1 && year <= 9999)) {
    throw new RangeError("a year must be a whole number from 1 to 9999")
  }
  return Result.succeed(Array.from(Holidays.nationalHolidays(year), ([date, name]) => ({ date, name })))
})

/** The day in Brasília at an instant in epoch milliseconds. */
export const brasiliaDate = /* @__PURE__ */ rule((epochMs: number) =>
  Result.succeed(brasiliaDateAt(whole("epoch milliseconds", epochMs))),
)

/** The wall clock in Brasília at an instant in epoch milliseconds: `YYYY-MM-DDTHH:mm:ss.SSS`. */
export const brasiliaWallClock = /* @__PURE__ */ rule((epochMs: number) =>
  Result.succeed(brasiliaWallClockAt(whole("epoch milliseconds", epochMs))),
)

/** First instant of a day in Brasília, in epoch milliseconds. Error: `InvalidLocalDate`. */
export const startOfBrasiliaDay = /* @__PURE__ */ rule((date: string) => Result.map(parseDate(date), startOfDay))

/** Last instant of a day in Brasília, 23:59:59.999, in epoch milliseconds. Error: `InvalidLocalDate`. */
export const endOfBrasiliaDay = /* @__PURE__ */ rule((date: string) => Result.map(parseDate(date), endOfDay))
