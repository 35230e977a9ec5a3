import * as Result from "effect/Result"
import type { InvalidLocalDate } from "../model/calendar/LocalDate.ts"
import * as Cycles from "../model/cycle/cycles.ts"
import * as Schedule from "../model/cycle/cycles.ts"
import type { InvalidOption } from "../runtime/options.ts"
import { knowNames, parseDate, parseHolidays, rule, whole } from "./Rule.ts"

export interface PlainCycleTerms {
  readonly period: Cycles.RecurrencePeriod
  /** First day of cycle 1, `YYYY-MM-DD`. */
  readonly startDate: string
  /** No cycle begins after this day, `YYYY-MM-DD`. */
  readonly endDate?: string | undefined
  /** Days after the due date of planned new attempts: one to three different days from 1 to 7, weekly to 5. */
  readonly retryOn?: ReadonlyArray<number> | undefined
}

/** Days (`YYYY-MM-DD`) and times (epoch milliseconds) of a cycle's charge. */
export interface PlainCycleSchedule {
  readonly cycle: number
  readonly dueDate: string
  /** Expected day of the debit: the due date, or the next business day. */
  readonly settlesOn: string
  /** The charge is made from `opensAt` until `closesAt`. */
  readonly opensAt: number
  readonly closesAt: number
  /** Deadline for cancelling the charge, before its first attempt. */
  readonly cancellableUntil: number
  /** Possible days of at most three retries, if the authorisation permits them. */
  readonly retryDays: ReadonlyArray<string>
  /** The `retryDays` on `retryOn`. */
  readonly plannedRetryDays?: ReadonlyArray<string>
}

const parseTerms = (terms: PlainCycleTerms): Result.Result<Cycles.CycleTerms, InvalidLocalDate | InvalidOption> =>
  Result.gen(function* () {
    const names = ["period", "startDate", "endDate", "retryOn"] as const
    const { period, startDate, endDate, retryOn } = yield* knowNames("terms", terms, names)
    if (!Cycles.isPeriod(period))
      throw new RangeError("period must be weekly, monthly, quarterly, halfYearly or yearly")
    if (retryOn !== undefined && !Cycles.isRetryOn(period, retryOn))
      throw new RangeError("retryOn must be 1 to 3 different whole numbers of days from 1 to 7, or to 5 if weekly")
    const start = yield* parseDate(startDate)
    const ends = endDate === undefined ? {} : { endDate: yield* parseDate(endDate) }
    return { period, startDate: start, ...ends, ...(retryOn && { retryOn }) }
  })

const count = (cycle: number): number => {
  if (whole("cycle", cycle) < 1) throw new RangeError("cycle is counted from 1")
  return cycle
}

/**
 * First day of a recurrence's cycle, counted from 1. Every cycle begins on the start date's day of the month; in a shorter month,
 * on the last day. A weekly cycle begins every seven days. Error: `InvalidLocalDate`.
 *
 * @example
 * ```ts
 * import { cycleStart } from "@pixcharge/core/plain"
 *
 * const terms = { period: "monthly", startDate: "2026-10-31" } as const
 * cycleStart(terms, 5) // => "2027-02-28"
 * cycleStart(terms, 6) // => "2027-03-31"
 * ```
 */
export const cycleStart = /* @__PURE__ */ rule((terms: PlainCycleTerms, cycle: number) =>
  Result.map(parseTerms(terms), (checked) => Cycles.cycleStart(checked, count(cycle))),
)

/** Last day of a recurrence's cycle: the day before the next begins. Error: `InvalidLocalDate`. */
export const cycleEnd = /* @__PURE__ */ rule((terms: PlainCycleTerms, cycle: number) =>
  Result.map(parseTerms(terms), (checked) => Cycles.cycleEnd(checked, count(cycle))),
)

/** The cycle of a day; undefined before the start date and after the end date. Error: `InvalidLocalDate`. */
export const findCycle = /* @__PURE__ */ rule((terms: PlainCycleTerms, date: string) =>
  Result.gen(function* () {
    return Cycles.findCycle(yield* parseTerms(terms), yield* parseDate(date))
  }),
)

/**
 * When a cycle's charge can be made, cancelled and retried; `dueDate` is by default the cycle's first day. Undefined if the
 * calendar leaves no day for it. Error: `InvalidLocalDate`.
 *
 * @example
 * ```ts
 * import { brasiliaWallClock, cycleSchedule } from "@pixcharge/core/plain"
 *
 * const schedule = cycleSchedule({ period: "monthly", startDate: "2026-12-25" }, 1)
 * schedule?.settlesOn // => "2026-12-28"
 * brasiliaWallClock(schedule?.opensAt ?? 0) // => "2026-12-21T09:00:00.000"
 * schedule?.retryDays // => ["2026-12-29", "2026-12-30", "2026-12-31", "2027-01-01"]
 * ```
 */
export const cycleSchedule = /* @__PURE__ */ rule(
  (
    terms: PlainCycleTerms,
    cycle: number,
    dueDate?: string,
    localHolidays?: ReadonlyArray<string>,
  ): Result.Result<PlainCycleSchedule | undefined, InvalidLocalDate | InvalidOption> =>
    Result.gen(function* () {
      const [checked, holidays] = [yield* parseTerms(terms), yield* parseHolidays(localHolidays)]
      const due = dueDate === undefined ? undefined : yield* parseDate(dueDate)
      return Schedule.cycleSchedule(checked, count(cycle), holidays, due)
    }),
)

/**
 * The bank's deadline for a request that takes effect on a day: 22:00 in Brasília of the day before, in epoch milliseconds.
 * Error: `InvalidLocalDate`.
 */
export const requestableUntil = /* @__PURE__ */ rule((date: string) =>
  Result.map(parseDate(date), Schedule.requestableUntil),
)
