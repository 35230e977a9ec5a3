import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** With its zone, so that it is one instant everywhere. */
const isoForm = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/** A moment as hosts write it, in ISO 8601 with a zone or as a `Date`, in epoch milliseconds; undefined for anything else. */
export const parseMoment = (moment: string | Date): number | undefined => {
  if (typeof moment === "number" || (typeof moment === "string" && !isoForm.test(moment))) return undefined
  return Option.getOrUndefined(Option.map(DateTime.make(moment), DateTime.toEpochMillis))
}
