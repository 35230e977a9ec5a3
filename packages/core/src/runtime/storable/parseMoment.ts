import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { parseLocalDate } from "../../calendar/LocalDate.ts"

/** With its zone, so that it is one instant everywhere. */
const isoForm = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/** Runtimes read 30 February as 2 March. */
const isMoment = (text: string): boolean => Result.isSuccess(parseLocalDate(isoForm.exec(text)?.[1] ?? ""))

const readIso = (text: string): number | undefined =>
  isMoment(text) ? Option.getOrUndefined(Option.map(DateTime.make(text), DateTime.toEpochMillis)) : undefined

/** A moment as hosts write it, in ISO 8601 with a zone or as a `Date`, in epoch milliseconds; undefined for anything else. */
export const parseMoment = (moment: string | Date): number | undefined => {
  if (typeof moment === "string") return readIso(moment)
  // A Date of another realm, a test runner's for example, is no instance of this one's.
  const at = typeof moment?.getTime === "function" ? moment.getTime() : Number.NaN
  return Number.isSafeInteger(at) ? at : undefined
}
