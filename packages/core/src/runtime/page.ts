import { TaggedError } from "./error.ts"

/**
 * A filter's field has an invalid value, for example a cursor of another list. The message doesn't repeat the value.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No, only with a corrected filter.
 */
export class InvalidFilter extends TaggedError("InvalidFilter")<{ readonly field: string; readonly rule: string }> {
  override get message(): string {
    const { field, rule } = this
    return field === "filter" ? `The filter must be ${rule}.` : `The ${field} of a filter must be ${rule}.`
  }
}

export const invalidCursor = (): InvalidFilter =>
  new InvalidFilter({ field: "cursor", rule: "the cursor of a page of this list" })

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Requests the next page; opaque. Absent on the last page. */
  readonly cursor?: string
}

export interface PageRequest {
  /** The previous page's cursor; absent for the first page. */
  readonly cursor?: string
  /** 1 to 1000. Other values are clamped to this range (`pageSize`). */
  readonly limit: number
}

/** A period in epoch milliseconds: `from` is included, `until` isn't. */
export interface Period {
  readonly from: number
  readonly until: number
}

const largest = 1_000

/** Clamps the limit to 1 to 1000; NaN becomes 1. */
export const pageSize = ({ limit }: PageRequest): number => Math.min(Math.max(Math.trunc(limit) || 1, 1), largest)
