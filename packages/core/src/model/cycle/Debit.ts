import { TaggedError } from "../../runtime/error.ts"
import { brasiliaHour } from "../calendar/BrasiliaTime.ts"
import type { LocalDate } from "../calendar/LocalDate.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { EndedBy, RecurrenceId } from "./RecurrenceId.ts"
import { requestableUntil } from "./cycles.ts"

/** What makes a charge that of a recurrence's cycle: it has no code, and the payer's bank debits it. Fixed when it is made. */
export interface ChargeCycle {
  readonly recurrenceId: RecurrenceId
  /** The recurrence's contract, by which bank and payer know it. */
  readonly contract: string
  /** Counted from 1. */
  readonly cycle: number
  /** Counted from 1: how many charges the cycle has had with this one. */
  readonly generation: number
  /** The recurrence at the bank (API Pix: `idRec`). */
  readonly bankId: string
  /** When the payer's bank is expected to debit first. */
  readonly settlesOn: LocalDate
  /** The days on which a new attempt may be made; none where the authorisation permits none. */
  readonly retryDays: ReadonlyArray<LocalDate>
}

/** One order to debit, as the bank shows it. */
export interface DebitAttempt {
  /** The order of the due date, one that the company asked for after it, or one that the banks sent again by themselves. */
  readonly kind: "first" | "retry" | "resent"
  readonly on: LocalDate
  readonly endToEndId?: string
  /** `scheduled`: the payer's bank will debit. `unknown`: a status that has no meaning here, which counts as one under way. */
  readonly status: "requested" | "scheduled" | "paid" | "rejected" | "expired" | "cancelled" | "unknown"
  /** The bank's code of a rejection, as it is. */
  readonly code?: string
}

/** How far the debit of a cycle's charge has come. */
export interface Debit {
  /** `requested`: whether the bank has it isn't known. `rejected` and `unpaid` are final at the bank. */
  readonly status: "requested" | "registered" | "scheduled" | "rejected" | "unpaid"
  readonly attempts: ReadonlyArray<DebitAttempt>
  /** Days for which a new attempt was asked; each was stored before the bank was called. Oldest first. */
  readonly retries: ReadonlyArray<LocalDate>
  /** The day of the attempt that was last reported as failed, and the bank's code. */
  readonly failure?: { readonly on: LocalDate; readonly code?: string }
}

/** What a bank shows of a cycle's charge, beside its payments. */
export interface DebitView {
  /** `absent`: the bank has no such charge. `unknown`: a status that has no meaning here, which changes nothing. */
  readonly status: "active" | "completed" | "rejected" | "expired" | "cancelled" | "absent" | "unknown"
  readonly attempts: ReadonlyArray<DebitAttempt>
  /** Who cancelled it, where that is shown. */
  readonly by?: EndedBy
  /** The code of its end. */
  readonly code?: string
}

/**
 * For how long a charge of which the bank was told may be missing in what it shows. Until then its refusal of a repeated order is no
 * proof either: a txid in use is refused, too.
 */
export const unseenMs = 600_000

/** The debit of a charge of which the bank wasn't told yet. */
export const newDebit: Debit = { status: "requested", attempts: [], retries: [] }

/** Whether an attempt may still take money from the payer. */
export const isLiveAttempt = ({ status }: DebitAttempt): boolean =>
  status === "requested" || status === "scheduled" || status === "unknown"

/** The payer's bank makes no attempt of a day after this hour of Brasília. */
const lastAttemptHour = 21

/** When the attempts of a day are over: 21:00 in Brasília. Epoch milliseconds. */
export const attemptsUntil = (day: LocalDate): number => brasiliaHour(day, lastAttemptHour)

/** Whether an attempt is under way, and its day isn't over. */
export const mayStillDebit = (attempt: DebitAttempt, now: number): boolean =>
  isLiveAttempt(attempt) && now < attemptsUntil(attempt.on)

/** Whether the cycle of this charge can have another one: it is cancelled, or the bank has rejected it. */
export const freesCycle = ({ _tag, debit }: { readonly _tag: string; readonly debit?: Debit }): boolean =>
  _tag === "Cancelled" || debit?.status === "rejected"

/**
 * Whether the bank can still be asked to take a cycle's charge back: until 22:00 in Brasília of the day before an attempt, and again
 * once no attempt is under way. `now` in epoch milliseconds.
 */
export const isCancellable = (
  { cycle, debit }: { readonly cycle?: ChargeCycle; readonly debit?: Debit },
  now: number,
): boolean => {
  if (cycle === undefined || debit === undefined) return true
  const { attempts, retries } = debit
  // Before the bank shows an attempt there will be one on the planned day.
  const awaited = [...(attempts.length === 0 ? [cycle.settlesOn] : []), ...retries]
    .filter((on) => !attempts.some((attempt) => attempt.on === on))
    .filter((on) => now < attemptsUntil(on))
  const days = [...attempts.filter(isLiveAttempt).map(({ on }) => on), ...awaited]
  return days.every((on) => now < requestableUntil(on))
}

/** An attempt only moves on from one of these to a later one. */
const progress: Record<DebitAttempt["status"], number> = {
  unknown: 0,
  requested: 1,
  scheduled: 2,
  rejected: 3,
  expired: 3,
  cancelled: 3,
  paid: 4,
}

/** The banks' orders of one day, in the order in which they are made. */
const orderOnDay: Record<DebitAttempt["kind"], number> = { first: 0, retry: 1, resent: 2 }

const compare = (one: DebitAttempt, other: DebitAttempt): number =>
  one.on === other.on ? orderOnDay[one.kind] - orderOnDay[other.kind] : one.on < other.on ? -1 : 1

const isSame = (one: DebitAttempt, other: DebitAttempt): boolean =>
  one.kind === other.kind &&
  one.on === other.on &&
  (one.endToEndId ?? other.endToEndId) === (other.endToEndId ?? one.endToEndId)

/** The attempt as it is known where the bank shows nothing new of it. */
const advance = (known: DebitAttempt | undefined, shown: DebitAttempt): DebitAttempt => {
  if (known === undefined) return shown
  const { status, code = known.code, endToEndId = known.endToEndId } = shown
  const isOld = progress[status] < progress[known.status]
  const isNothingNew = status === known.status && code === known.code && endToEndId === known.endToEndId
  return isOld || isNothingNew ? known : { ...known, ...shown }
}

/**
 * The attempts that are known and those that a bank shows, in the order of their days. A view may be older than one that came
 * before it: it takes back nothing. What the bank shows no more is kept, except an order whose day is over.
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
 * A cycle's charge can't be cancelled any more: its debit is due tomorrow or today, and may be carried out.
 *
 * @repeat Yes, after the day's attempts: from 21:00 in Brasília.
 */
export class CancelTooLate extends TaggedError("CancelTooLate", {
  problem: ({ chargeId }: { readonly issuer: Cnpj; readonly chargeId: string }) =>
    `The charge ${chargeId} can't be cancelled: that is possible until 22:00 in Brasília of the day before its debit.`,
  remedy: "Wait for the day's result. Refund the payment if it comes.",
}) {}
