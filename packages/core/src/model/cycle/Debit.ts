import { TaggedError } from "../../runtime/error.ts"
import { brasiliaHour } from "../calendar/BrasiliaTime.ts"
import type { LocalDate } from "../calendar/LocalDate.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { EndedBy, RecurrenceId } from "./RecurrenceId.ts"
import { requestableUntil } from "./cycles.ts"

/** The cycle of a charge that the payer's bank debits, fixed when the charge is made. */
export interface ChargeCycle {
  readonly recurrenceId: RecurrenceId
  /** The contract's name for bank and payer. */
  readonly contract: string
  /** Counted from 1. */
  readonly cycle: number
  /** The number of this charge among the cycle's charges, from 1. */
  readonly generation: number
  /** The recurrence's id at the bank (API Pix: `idRec`). */
  readonly bankId: string
  /** The expected day of the first debit. */
  readonly settlesOn: LocalDate
  /** The possible days of a new attempt; empty if the authorisation permits no retry. */
  readonly retryDays: ReadonlyArray<LocalDate>
  /** The `retryDays` that pixcharge plans by `retryOn`, ascending; absent without it. */
  readonly plannedRetryDays?: ReadonlyArray<LocalDate>
}

/** One order to debit. */
export interface DebitAttempt {
  /** `first`: for the due date. `retry`: a later order by the company. `resent`: sent again by the banks on their own. */
  readonly kind: "first" | "retry" | "resent"
  readonly on: LocalDate
  readonly endToEndId?: string
  /** `scheduled`: the payer's bank will debit. `unknown` counts as under way. */
  readonly status: "requested" | "scheduled" | "paid" | "rejected" | "expired" | "cancelled" | "unknown"
  /** The bank's code of a rejection, unchanged. */
  readonly code?: string
}

export interface Debit {
  /** `requested`: the bank hasn't confirmed the charge yet. `rejected` and `unpaid` are final at the bank. */
  readonly status: "requested" | "registered" | "scheduled" | "rejected" | "unpaid"
  readonly attempts: ReadonlyArray<DebitAttempt>
  /** The days of requested new attempts, oldest first, each stored before the call to the bank. */
  readonly retries: ReadonlyArray<LocalDate>
  /** The last day published as failed, with the bank's code. */
  readonly failure?: { readonly on: LocalDate; readonly code?: string }
  /** The published day of the next attempt; absent once it is requested, on the day before. */
  readonly nextAttemptOn?: LocalDate
}

/** A bank's view of a cycle's charge, without its payments. */
export interface DebitView {
  /** `absent`: the bank has no such charge. `unknown` changes no debit. */
  readonly status: "active" | "completed" | "rejected" | "expired" | "cancelled" | "absent" | "unknown"
  readonly attempts: ReadonlyArray<DebitAttempt>
  readonly by?: EndedBy
  readonly code?: string
}

/**
 * How long a new charge can be missing from a bank's views, in milliseconds. Until then a refused repeat doesn't prove
 * that the bank lacks the charge, because banks also refuse a txid in use.
 */
export const unseenMs = 600_000

/** The debit before the first call to the bank. */
export const newDebit: Debit = { status: "requested", attempts: [], retries: [] }

export const isLiveAttempt = ({ status }: DebitAttempt): boolean =>
  status === "requested" || status === "scheduled" || status === "unknown"

const lastAttemptHour = 21

/** The end of a day's attempts, in epoch milliseconds. */
export const attemptsUntil = (day: LocalDate): number => brasiliaHour(day, lastAttemptHour)

export const mayStillDebit = (attempt: DebitAttempt, now: number): boolean =>
  isLiveAttempt(attempt) && now < attemptsUntil(attempt.on)

/** Whether the cycle can have another charge. */
export const freesCycle = ({ _tag, debit }: { readonly _tag: string; readonly debit?: Debit }): boolean =>
  _tag === "Cancelled" || debit?.status === "rejected"

/**
 * Whether the bank still accepts a cancellation: until 22:00 in Brasília of the day before an attempt, and again once no
 * attempt is under way. `now` is in epoch milliseconds.
 */
export const isCancellable = (charge: OfDebit, now: number): boolean =>
  underWay(charge, now).every((on) => now < requestableUntil(on))

interface OfDebit {
  readonly cycle?: ChargeCycle
  readonly debit?: Debit
}

/** The days of the attempts under way. Without one, a debit needs a new request. */
export const underWay = ({ cycle, debit }: OfDebit, now: number): ReadonlyArray<LocalDate> => {
  if (cycle === undefined || debit === undefined) return []
  const { attempts, retries } = debit
  // Until the bank shows an attempt, the planned day counts.
  const awaited = [...(attempts.length === 0 ? [cycle.settlesOn] : []), ...retries]
    .filter((on) => !attempts.some((attempt) => attempt.on === on))
    .filter((on) => now < attemptsUntil(on))
  return [...attempts.filter(isLiveAttempt).map(({ on }) => on), ...awaited]
}

/** An attempt's status never goes back. */
const progress: Record<DebitAttempt["status"], number> = {
  unknown: 0,
  requested: 1,
  scheduled: 2,
  rejected: 3,
  expired: 3,
  cancelled: 3,
  paid: 4,
}

const orderOnDay: Record<DebitAttempt["kind"], number> = { first: 0, retry: 1, resent: 2 }

const compare = (one: DebitAttempt, other: DebitAttempt): number =>
  one.on === other.on ? orderOnDay[one.kind] - orderOnDay[other.kind] : one.on < other.on ? -1 : 1

const isSame = (one: DebitAttempt, other: DebitAttempt): boolean =>
  one.kind === other.kind &&
  one.on === other.on &&
  (one.endToEndId ?? other.endToEndId) === (other.endToEndId ?? one.endToEndId)

const advance = (known: DebitAttempt | undefined, shown: DebitAttempt): DebitAttempt => {
  if (known === undefined) return shown
  const { status, code = known.code, endToEndId = known.endToEndId } = shown
  const isOld = progress[status] < progress[known.status]
  const isNothingNew = status === known.status && code === known.code && endToEndId === known.endToEndId
  return isOld || isNothingNew ? known : { ...known, ...shown }
}

/**
 * Merges known attempts with a bank's view, in the order of their days. An old view never reverts an attempt. A missing
 * attempt is kept, unless it is unfinished and its day is over.
 */
export const mergeAttempts = (
  known: ReadonlyArray<DebitAttempt>,
  shown: ReadonlyArray<DebitAttempt>,
  now: number,
): ReadonlyArray<DebitAttempt> => {
  const rest = [...known]
  const merged = shown.toSorted(compare).map((attempt) => {
    const index = rest.findIndex((other) => isSame(attempt, other))
    return advance(index === -1 ? undefined : rest.splice(index, 1)[0], attempt)
  })
  const unseen = rest.filter((attempt) => !isLiveAttempt(attempt) || mayStillDebit(attempt, now))
  return [...merged, ...unseen].toSorted(compare)
}

/**
 * A cycle's charge can't be cancelled any more: its debit is due today or tomorrow.
 *
 * @repeat Yes, after the day's attempts: from 21:00 in Brasília.
 */
export class CancelTooLate extends TaggedError("CancelTooLate", {
  problem: ({ chargeId, cycle }: { readonly issuer: Cnpj; readonly chargeId: string; readonly cycle: number }) =>
    `The charge ${chargeId} of cycle ${cycle} can't be cancelled: that is possible until 22:00 in Brasília of the day before its debit.`,
  remedy:
    "Wait for the day's result, and refund the payment if it comes. To skip the cycles after it, begin the range there.",
}) {}
