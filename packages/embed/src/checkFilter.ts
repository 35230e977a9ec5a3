import { InvalidFilter, isStorableMoment, isStorableText, type PageRequest, type Period } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { ChargeFilter, ExceptionFilter } from "./Pix.ts"

const oneOf = (values: ReadonlyArray<unknown>): Field => ({
  rule: `one of ${values.join(", ")}`,
  holds: (value) => values.includes(value),
})

interface Field {
  readonly rule: string
  readonly holds: (value: unknown) => boolean
}

const text: Field = {
  rule: "a text without NUL and without half of a surrogate pair",
  holds: (value) => typeof value === "string" && isStorableText(value),
}

type Fields = ReadonlyMap<string, Field>

const longestName = 100

const fields: Fields = new Map(
  Object.entries({
    status: oneOf(["waiting", "delivered", "dead", "superseded"]),
    eventId: text,
    endpointId: text,
    chargeId: text,
    endToEndId: text,
    cursor: text,
    kind: text,
    by: text,
    name: {
      rule: `a text of 1 to ${longestName} characters`,
      holds: (value) => text.holds(value) && String(value).trim() !== "" && String(value).length <= longestName,
    },
    limit: { rule: "a number", holds: (value) => typeof value === "number" },
    period: {
      rule: "from and until in epoch milliseconds",
      holds: (value) => {
        const { from, until } = Object(value) as { readonly from?: unknown; readonly until?: unknown }
        return Number.isFinite(from) && Number.isFinite(until)
      },
    },
  }),
)

const moment: Field = {
  rule: "a moment in epoch milliseconds",
  holds: (value) => typeof value === "number" && isStorableMoment(value),
}

const shortestText = 2
const longestText = 200

const chargeFields: Fields = new Map(
  Object.entries({
    from: moment,
    until: moment,
    status: oneOf(["pending", "paid", "expired", "refunding", "refunded", "cancelled"]),
    text: {
      rule: `a text of ${shortestText} to ${longestText} characters`,
      holds: (value) =>
        text.holds(value) && String(value).trim().length >= shortestText && String(value).length <= longestText,
    },
  }),
)

const check = <A extends object>(known: Fields, filter: A | null): Effect.Effect<A, InvalidFilter> => {
  const given = Object(filter) as A
  for (const [name, value] of Object.entries(given)) {
    const field = known.get(name)
    if (value !== undefined && field?.holds(value) === false)
      return new InvalidFilter({ field: name, rule: field.rule })
  }
  return Effect.succeed(given)
}

/** The filter if each of its fields can be meant, for hosts pass on what requests say. Null is a filter without fields. */
export const checkFilter = <A extends object>(filter: A | null): Effect.Effect<A, InvalidFilter> =>
  check(fields, filter)

const exceptionFields: Fields = new Map(
  Object.entries({ from: moment, until: moment, status: oneOf(["open", "refunding", "returned", "resolved"]) }),
)

/** A filter of exceptions, which always has a period, and a page of them, by the same rule. */
export const checkExceptionFilter = (
  filter: ExceptionFilter,
  page: Partial<PageRequest> | null,
): Effect.Effect<readonly [ExceptionFilter, Partial<PageRequest>], InvalidFilter> => {
  const { from, until, status } = Object(filter) as ExceptionFilter
  const period = { from: from ?? Number.NaN, until: until ?? Number.NaN }
  return Effect.all([check(exceptionFields, { status, ...period }), checkFilter(page)])
}

const periodFields: Fields = new Map(Object.entries({ from: moment, until: moment }))

/** A period that was checked, and no more of it than that; absent is no moment, too. */
export const checkPeriod = (period: Period | null): Effect.Effect<Period, InvalidFilter> => {
  const { from = Number.NaN, until = Number.NaN } = Object(period) as Period
  return check(periodFields, { from, until })
}

/** A filter of charges, which always has a period, and a page of them, by the same rule. */
export const checkChargeFilter = (
  filter: ChargeFilter,
  page: Partial<PageRequest> | null,
): Effect.Effect<readonly [ChargeFilter, Partial<PageRequest>], InvalidFilter> => {
  const { from, until, ...rest } = Object(filter) as ChargeFilter
  // Absent is no moment, too.
  const period = { from: from ?? Number.NaN, until: until ?? Number.NaN }
  return Effect.all([check(chargeFields, { ...rest, ...period }), checkFilter(page)])
}
