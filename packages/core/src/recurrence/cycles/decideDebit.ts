import { brasiliaHour } from "../../calendar/BrasiliaTime.ts"
import type { LocalDate } from "../../calendar/LocalDate.ts"
import { askableUntil } from "./cycleSchedule.ts"
import { type ChargeCycle, type Debit, type DebitAttempt, type DebitView, isLiveAttempt } from "./Debit.ts"

/** What is told of a debit. Moments are epoch milliseconds. */
export type DebitNews =
  | { readonly kind: "payment-scheduled"; readonly attempt: DebitAttempt }
  | {
      readonly kind: "payment-failed"
      readonly reason: "rejected" | "unpaid"
      /** The day of the attempt. */
      readonly on: LocalDate
      readonly code?: string
      /** Until when a new attempt can be asked for; absent where none can. */
      readonly mayRetryUntil?: number
    }

/** What a bank's view changes of a debit. */
export interface DebitTransition {
  /** Absent when it stays as it is. */
  readonly next?: Debit
  readonly news?: DebitNews
  /** The bank has cancelled the charge. */
  readonly isCancelled?: true
}

const maxRetries = 3

/** The payer's bank makes no attempt of a day after this hour of Brasília. */
const lastAttemptHour = 21

/** Codes after which another attempt of the same charge can't succeed: the account, the debtor or the order itself is wrong. */
const finalCodes: ReadonlySet<string> = new Set(
  "AC05 AM09 DENC DS27 DTED DTNT IRNT MIDI MSUC NIPA NITX QUNT RC09 UDEI".split(" "),
)

/**
 * What the bank's view makes of a debit: total and pure, in any order of views. That money arrived is no matter of this rule: a
 * payment settles its charge in every state of its debit. A failure counts once the day's attempts are over, and while no
 * attempt is under way, so that nobody collects by another way what is debited in the evening.
 */
export const decideDebit = (cycle: ChargeCycle, debit: Debit, view: DebitView, now: number): DebitTransition => {
  if (debit.status === "rejected" || debit.status === "unpaid") return {}
  switch (view.status) {
    case "unknown":
    case "absent":
    case "completed":
      return {}
    case "cancelled":
      return { isCancelled: true, next: { ...debit, attempts: view.attempts } }
    case "rejected":
    case "expired":
      return finish(debit, view, view.status === "rejected" ? "rejected" : "unpaid", cycle)
    case "active":
      return follow(cycle, debit, view.attempts, now)
  }
}

const finish = (
  debit: Debit,
  { attempts, code }: DebitView,
  reason: "rejected" | "unpaid",
  { settlesOn }: ChargeCycle,
): DebitTransition => {
  const last = attempts.at(-1)
  const failure = failureOf(last, settlesOn, code)
  const next: Debit = { ...debit, status: reason, attempts, failure }
  const isTold = debit.failure?.on === failure.on && debit.failure.code === failure.code
  const mayHaveRetried = isTold && debit.retries.length === 0 && reason === "unpaid"
  return isTold && !mayHaveRetried && reason === "unpaid"
    ? { next }
    : { next, news: { kind: "payment-failed", reason, ...failure } }
}

const failureOf = (attempt: DebitAttempt | undefined, settlesOn: LocalDate, endCode?: string) => {
  const code = attempt?.code ?? endCode
  return { on: attempt?.on ?? settlesOn, ...(code !== undefined && { code }) }
}

const follow = (
  cycle: ChargeCycle,
  debit: Debit,
  attempts: ReadonlyArray<DebitAttempt>,
  now: number,
): DebitTransition => {
  const scheduled = attempts.findLast(({ status }) => status === "scheduled")
  const next: Debit = { ...debit, status: scheduled === undefined ? "registered" : "scheduled", attempts }
  const isNews = (attempt: DebitAttempt) =>
    !debit.attempts.some(({ status, on, kind }) => status === "scheduled" && on === attempt.on && kind === attempt.kind)
  if (scheduled !== undefined && isNews(scheduled)) {
    return { next, news: { kind: "payment-scheduled", attempt: scheduled } }
  }
  const failed = lastFailure(attempts, now)
  if (failed === undefined || debit.failure?.on === failed.on) return isSame(debit, next) ? {} : { next }
  const failure = failureOf(failed, cycle.settlesOn)
  const retryDay = findRetryDay(cycle, next, now)
  return {
    next: { ...next, failure },
    news: {
      kind: "payment-failed",
      reason: failed.status === "rejected" ? "rejected" : "unpaid",
      ...failure,
      ...(retryDay !== undefined && { mayRetryUntil: askableUntil(cycle.retryDays.at(-1) ?? retryDay) }),
    },
  }
}

/** The last attempt, if it has failed for good: no other is under way, and its day's attempts are over or it never came to one. */
const lastFailure = (attempts: ReadonlyArray<DebitAttempt>, now: number): DebitAttempt | undefined => {
  const last = attempts.at(-1)
  if (last === undefined || attempts.some(isLiveAttempt)) return undefined
  if (last.status === "rejected") return last
  return last.status === "expired" && now >= brasiliaHour(last.on, lastAttemptHour) ? last : undefined
}

const isSame = (one: Debit, other: Debit): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Why no new attempt can be asked for. */
export type RetryObstacle = "notPermitted" | "underWay" | "exhausted" | "tooLate" | "pointless" | "notFailed"

/** Why a new attempt of the debit can't be asked for on any day, or on this one; undefined where it can. Total and pure. */
export const findRetryObstacle = (
  cycle: ChargeCycle,
  debit: Debit,
  now: number,
  on?: LocalDate,
): RetryObstacle | undefined => {
  const { attempts, retries, status, failure } = debit
  if (cycle.retryDays.length === 0) return "notPermitted"
  if (status === "rejected" || status === "unpaid") return "tooLate"
  if (attempts.some(isLiveAttempt) || isAwaited(debit, now)) return "underWay"
  if (attempts.length === 0 || failure === undefined) return "notFailed"
  if (retries.length >= maxRetries) return "exhausted"
  if (failure.code !== undefined && finalCodes.has(failure.code)) return "pointless"
  const days = openDays(cycle, debit, now)
  return days.length === 0 || (on !== undefined && !days.includes(on)) ? "tooLate" : undefined
}

/** The earliest day for which a new attempt can be asked for now; undefined where there is none. */
export const findRetryDay = (cycle: ChargeCycle, debit: Debit, now: number): LocalDate | undefined =>
  debit.retries.length >= maxRetries ? undefined : openDays(cycle, debit, now)[0]

/** Days of retries that can still be asked for: after every day that was tried. */
const openDays = ({ retryDays }: ChargeCycle, { attempts, retries }: Debit, now: number) => {
  const tried = [...attempts.map(({ on }) => on), ...retries]
  return retryDays.filter((day) => now < askableUntil(day) && tried.every((other) => other < day))
}

/** A retry was asked for, and the bank's answer doesn't show it yet. */
const isAwaited = ({ attempts, retries }: Debit, now: number): boolean => {
  const last = retries.at(-1)
  return last !== undefined && !attempts.some(({ on }) => on === last) && now < brasiliaHour(last, lastAttemptHour)
}
