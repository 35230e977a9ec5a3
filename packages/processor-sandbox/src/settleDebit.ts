import type { DebitOutcome } from "@pixcharge/core/internal"
import { brasiliaHour, type LocalDate } from "@pixcharge/core/calendar"
import type { CycleCharge } from "@pixcharge/core/charges"
import { requestableUntil, type DebitAttempt, type EndedBy, isLiveAttempt } from "@pixcharge/core/recurrence"
import type { RememberedDebit } from "./RecurrenceMemory.ts"

/**
 * The hours in Brasília at which the payer's bank attempts the debit, and the hour at which the day's attempts are
 * over.
 */
const hours = { night: 3, evening: 19, over: 21 } as const

const maxRetries = 3

export interface SettledDebit {
  readonly debit: RememberedDebit
  /** Whether the attempt used the first of the played outcomes. */
  readonly usesOutcome?: true
  /** The payment that this attempt made now. */
  readonly paid?: { readonly attempt: DebitAttempt; readonly paidAt: number }
}

const replaceLast = (debit: RememberedDebit, attempt: DebitAttempt): RememberedDebit => ({
  ...debit,
  attempts: [...debit.attempts.slice(0, -1), attempt],
})

const runAttempt = (debit: RememberedDebit, attempt: DebitAttempt, outcome: DebitOutcome, now: number) => {
  const at = (name: keyof typeof hours) => brasiliaHour(attempt.on, hours[name])
  const begun = { ...debit, outcome }
  switch (outcome) {
    case "aboveMaximum":
      return { debit: replaceLast(begun, { ...attempt, status: "rejected", code: "AM02" }) }
    case "accountClosed": {
      const rejected = replaceLast(begun, { ...attempt, status: "rejected", code: "AC05" })
      return { debit: { ...rejected, status: "rejected" as const, code: "AC05" } }
    }
    case "noBalance":
      return now < at("over") ? { debit: begun } : { debit: replaceLast(begun, { ...attempt, status: "expired" }) }
    case "paid":
    case "paidInEvening": {
      const paidAt = at(outcome === "paid" ? "night" : "evening")
      if (now < paidAt) return { debit: begun }
      const paid: DebitAttempt = { ...attempt, status: "paid" }
      return { debit: { ...replaceLast(begun, paid), status: "completed" as const }, paid: { attempt: paid, paidAt } }
    }
  }
}

export const retryDaysLeft = ({ charge, attempts }: RememberedDebit, now: number): ReadonlyArray<LocalDate> => {
  const retries = attempts.filter(({ kind }) => kind === "retry")
  const lastDay = attempts.at(-1)?.on ?? ""
  const days = retries.length < maxRetries ? charge.cycle.retryDays : []
  return days.filter((day) => day > lastDay && now < requestableUntil(day))
}

const expireIfOver = (debit: RememberedDebit, now: number): RememberedDebit => {
  const last = debit.attempts.at(-1)
  const isOver = last !== undefined && !isLiveAttempt(last) && now >= brasiliaHour(last.on, hours.over)
  const isFinal = debit.status === "active" && isOver && retryDaysLeft(debit, now).length === 0
  return isFinal ? { ...debit, status: "expired" } : debit
}

/** Makes the attempts that are due at night and in the evening. `next` is the first of the played outcomes. */
export const settleDebit = (debit: RememberedDebit, next: DebitOutcome | undefined, now: number): SettledDebit => {
  const attempt = debit.attempts.at(-1)
  if (debit.status !== "active" || attempt === undefined) return { debit }
  if (!isLiveAttempt(attempt)) return { debit: expireIfOver(debit, now) }
  if (now < brasiliaHour(attempt.on, hours.night)) return { debit }
  const isNew = debit.outcome === undefined
  const settled = runAttempt(debit, attempt, debit.outcome ?? next ?? "paid", now)
  return {
    ...settled,
    debit: expireIfOver(settled.debit, now),
    ...(isNew && next !== undefined && { usesOutcome: true as const }),
  }
}

/** Restores a cycle's charge from before a restart, if the books show that the bank has it. */
export const debitInBooks = (charge: CycleCharge): RememberedDebit | undefined => {
  if (charge._tag !== "Pending" || charge.debit === undefined || charge.debit.status === "requested") return undefined
  const { status, attempts } = charge.debit
  const end = { rejected: "rejected", unpaid: "expired" } as const
  return { charge, attempts, status: status === "rejected" || status === "unpaid" ? end[status] : "active" }
}

export const canBeStopped = ({ attempts }: RememberedDebit, now: number): boolean =>
  attempts.filter(isLiveAttempt).every(({ on }) => now < requestableUntil(on))

export const cancelDebit = (debit: RememberedDebit, by: EndedBy, code: string): RememberedDebit => ({
  ...debit,
  attempts: debit.attempts.map((attempt) => (isLiveAttempt(attempt) ? { ...attempt, status: "cancelled" } : attempt)),
  status: "cancelled",
  by,
  code,
})
