import { isStorableText, TaggedError } from "@pixcharge/core"
import * as Effect from "effect/Effect"

const statuses: ReadonlyArray<unknown> = ["waiting", "delivered", "dead", "superseded"]

/**
 * A field says what it can't mean: which events or changes, or which page of them. The value is not repeated.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No: with a corrected filter.
 */
export class InvalidFilter extends TaggedError("InvalidFilter")<{ readonly field: string }> {
  override get message(): string {
    return `The ${this.field} of a filter must be ${fields.get(this.field)?.rule}.`
  }
}

interface Field {
  readonly rule: string
  readonly holds: (value: unknown) => boolean
}

const text: Field = {
  rule: "a text without NUL and without half of a surrogate pair",
  holds: (value) => typeof value === "string" && isStorableText(value),
}

const fields: ReadonlyMap<string, Field> = new Map(
  Object.entries({
    status: { rule: `one of ${statuses.join(", ")}`, holds: (value) => statuses.includes(value) },
    eventId: text,
    endpointId: text,
    chargeId: text,
    cursor: text,
    kind: text,
    by: text,
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

/** The filter if each of its fields can be meant, for hosts pass on what requests say. Null is a filter without fields. */
export const checkFilter = <A extends object>(filter: A | null): Effect.Effect<A, InvalidFilter> => {
  const given = Object(filter) as A
  for (const [field, value] of Object.entries(given)) {
    if (value !== undefined && fields.get(field)?.holds(value) === false) return new InvalidFilter({ field })
  }
  return Effect.succeed(given)
}
