import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"
import { isUuid } from "../../runtime/storable.ts"

declare const brand: unique symbol

/** The host's UUID for a recurrence, in lower case; unique within one company. */
export type RecurrenceId = string & { readonly [brand]: "RecurrenceId" }

/**
 * A text that should identify a recurrence is no UUID.
 *
 * @remedy Give the UUID under which the recurrence was offered.
 * @repeat No, only with another id.
 */
export class InvalidRecurrenceId extends TaggedError("InvalidRecurrenceId") {
  override get message(): string {
    return "The id of a recurrence must be a UUID: give the one under which it was offered."
  }
}

/** Accepts a UUID of any version, in any case; returns it in lower case. */
export const parseRecurrenceId = (text: string): Result.Result<RecurrenceId, InvalidRecurrenceId> =>
  isUuid(text) ? Result.succeed(text.toLowerCase() as RecurrenceId) : Result.fail(new InvalidRecurrenceId())

/** Who ended a recurrence, or cancelled a cycle's charge. */
export type EndedBy = "payer" | "payerBank" | "company" | "companyBank"

export interface RecurrenceEnd {
  /** The payer declined, the offer expired, the bank refused it, or the recurrence was ended. */
  readonly reason: "declined" | "expired" | "refused" | "ended"
  /** Absent if the bank doesn't say. */
  readonly by?: EndedBy
  /** The bank's code, unchanged. Banks add codes without notice. */
  readonly code?: string
  /** Epoch milliseconds. */
  readonly at: number
}
