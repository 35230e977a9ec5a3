import type { AboutCharge } from "../model/charge/chargeErrors.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { AboutRecurrence } from "../model/recurrence/recurrenceErrors.ts"
import { CausedError, type Outage } from "../runtime/CausedError.ts"
import { type Prose, TaggedError } from "../runtime/error.ts"

/** The furthest planned check, in milliseconds (25 hours), except for recurrences. A later one counts as due. */
export const maxAheadMs = 25 * 3_600_000

/** The furthest planned check of a recurrence, in milliseconds: a week, and a day for differing clocks. */
export const maxRecurrenceCheckMs = 8 * 86_400_000

/** Maximum difference between the clocks of two hosts, in milliseconds. */
export const clockToleranceMs = 60_000

/**
 * The processor didn't answer, or not in time. Whether it acted is unknown; the same call, repeated, continues it (decision 12).
 *
 * @repeat Yes, and it should be.
 */
export class ProcessorUnavailable extends CausedError("ProcessorUnavailable", {
  problem: ({ operation }: Outage & { readonly retryAfterMs?: number }) =>
    `The processor gave no usable answer (${operation}), and may have acted.`,
  remedy: ({ retryAfterMs }) =>
    `Make the same call again after ${retryAfterMs === undefined ? "some seconds" : `${retryAfterMs} ms`}: it continues where this one ended. If it fails again, check connection and credentials.`,
}) {}

/**
 * The processor answered and refused; the same call would be refused again.
 *
 * @repeat No, not before the cause in `reason` is corrected.
 */
export class ProcessorRejected extends TaggedError("ProcessorRejected", {
  problem: ({ operation, status }: Refusal) =>
    `The processor refused the call (${operation}${status === undefined ? "" : `, status ${status}`}), and would refuse it again.`,
  remedy: "Read why with `Redacted.value(error.reason)`. A `status` of 401 or 403 is about credentials or scopes.",
}) {}

export const isOfCredentials = ({ status }: Pick<ProcessorRejected, "status">): boolean =>
  status === 401 || status === 403

interface Refusal {
  readonly operation: string
  /** HTTP status of the processor's answer, if it has one. */
  readonly status?: number
  readonly reason: Prose
}

interface StoreOutage extends Outage {
  /** The store can't keep one of the call's values, so it would refuse the same call again. */
  readonly isRefused?: true
}

/**
 * The store couldn't be read or written. No write is left half done: the same call later finds the earlier result.
 *
 * @repeat Yes, unless `isRefused`.
 */
export class StoreUnavailable extends CausedError("StoreUnavailable", {
  problem: ({ operation, isRefused }: StoreOutage) =>
    isRefused
      ? `The store can't keep a value of the call (${operation}).`
      : `The store could not be used (${operation}).`,
  remedy: ({ isRefused }) =>
    isRefused
      ? "Don't repeat the call. Report it to pixcharge with the code in `cause`, because such a value should have been refused before."
      : "Make the same call again after some seconds. If it fails again, check the database: `cause` has the details.",
}) {}

/**
 * The company already waits for too many reports, or this one has waited too long. Lists, figures and exports use only a few of
 * the store's connections, and each company a share of these, because calls that move money need the others (decision 58).
 *
 * @repeat Yes, after `retryAfterMs`.
 */
export class TooManyReports extends TaggedError("TooManyReports", {
  problem: "The company has requested too many lists, figures and exports at the same time.",
  remedy: ({ retryAfterMs }: { readonly issuer: Cnpj; readonly retryAfterMs: number }) =>
    `Request fewer at a time, and this one again after ${retryAfterMs} ms.`,
}) {}

/**
 * A period is longer, or holds more, than one call reads.
 *
 * @repeat No, only with a shorter period.
 */
export class PeriodTooLarge extends TaggedError("PeriodTooLarge", {
  problem: ({ operation, max }: { readonly operation: string; readonly max: string }) =>
    `A call for the ${operation} reads at most ${max}.`,
  remedy: "Request a shorter period.",
}) {}

interface AboutLink {
  readonly issuer: Cnpj
  readonly id: AboutCharge["id"] | AboutRecurrence["id"]
  readonly latest: number
}

/**
 * The expiry requested for a link to a payer's page is out of bounds: the message names the latest moment.
 *
 * @repeat No, only with another moment.
 */
export class InvalidLink extends TaggedError("InvalidLink", {
  problem: "A link can't be valid until this moment.",
  remedy: ({ latest }: AboutLink) =>
    `Give \`expiresAt\` in whole epoch milliseconds, later than \`pix.clock.now()\` and no later than ${latest}: a year after the charge's watchUntil, or a year from now for a recurrence.`,
}) {}

/**
 * The charge of a recurrence's cycle has no page to link to, because the payer's bank debits it.
 *
 * @repeat No.
 */
export class ChargeWithoutPage extends TaggedError("ChargeWithoutPage", {
  problem: ({ id }: AboutCharge & AboutItsRecurrence) =>
    `The charge ${id} has no page, because the payer's bank debits it.`,
  remedy: ({ recurrenceId }) =>
    `Give the payer the page of its recurrence: \`pix.checkout.recurrenceLink(issuer, "${recurrenceId}")\`.`,
}) {}

interface AboutItsRecurrence {
  readonly recurrenceId: AboutRecurrence["id"]
}
