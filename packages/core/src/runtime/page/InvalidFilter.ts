import { TaggedError } from "../error/TaggedError.ts"

/**
 * A field says what it can't mean: which charges, events or changes, or which page of them. The value is not repeated.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No: with a corrected filter.
 */
export class InvalidFilter extends TaggedError("InvalidFilter")<{ readonly field: string; readonly rule: string }> {
  override get message(): string {
    const { field, rule } = this
    return field === "filter" ? `The filter must be ${rule}.` : `The ${field} of a filter must be ${rule}.`
  }
}

/** Why a list has no page for a cursor: it comes from no page of this list. */
export const invalidCursor = (): InvalidFilter =>
  new InvalidFilter({ field: "cursor", rule: "the cursor of a page of this list" })
