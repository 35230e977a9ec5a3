import { brasiliaHour } from "../../calendar/BrasiliaTime.ts"
import type { LocalDate } from "../../calendar/LocalDate.ts"
import type { EndedBy } from "./RecurrenceEnd.ts"
import type { RecurrenceId } from "./RecurrenceId.ts"

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
