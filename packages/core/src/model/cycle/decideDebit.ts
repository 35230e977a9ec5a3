import { startOfBrasiliaDay } from "../calendar/BrasiliaTime.ts"
import type { LocalDate } from "../calendar/LocalDate.ts"
import { requestableUntil } from "./cycles.ts"
import {
  attemptsUntil,
  type ChargeCycle,
  type Debit,
  type DebitAttempt,
  type DebitView,
  isLiveAttempt,
  mayStillDebit,
  mergeAttempts,
} from "./Debit.ts"

/** Instants are epoch milliseconds. */
export type DebitNews =
  | { readonly kind: "payment-scheduled"; readonly attempt: DebitAttempt }
  | {
      readonly kind: "payment-failed"
      readonly reason: "rejected" | "unpaid"
      readonly on: LocalDate
      readonly code?: string
      readonly mayRetryUntil?: number
    }

export interface DebitTransition {
  readonly next?: Debit
  readonly news?: DebitNews
  readonly isCancelled?: true
}

const maxRetries = 3

/** Codes of a wrong account, debtor or order, which a new attempt can't correct. */
const finalCodes: ReadonlySet<string> = new Set(
  "AC05 AM09 DENC DS27 DTED DTNT IRNT MIDI MSUC NIPA NITX QUNT RC09 UDEI".split(" "),
)

/**
 * Applies a bank's view to a debit, total and pure. Views can repeat and come in any order: each attempt is published
 * as scheduled once and as failed once. A failure counts only after the day's attempts, while no attempt is under way.
 */
export const decideDebit = (cycle: ChargeCycle, debit: Debit, view: DebitView, now: number): DebitTransition => {
  if (debit.status === "rejected" || debit.status === "unpaid") return {}
  const attempts = mergeAttempts(debit.attempts, view.attempts, now)
  switch (view.status) {
    case "unknown":
    case "absent":
      return {}
    case "completed":
      return keepNew(debit, { ...debit, attempts })
    case "cancelled":
      return { isCancelled: true, next: { ...debit, attempts } }
    case "active":
      return follow(cycle, debit, { attempts, shown: view.attempts, now })
    case "rejected":
    case "expired":
      // An end doesn't count while an order can still be debited, and never if an attempt was paid.
      return [...attempts, ...view.attempts].some((one) => one.status === "paid" || mayStillDebit(one, now))
        ? follow(cycle, debit, { attempts, shown: view.attempts, now })
        : finish(debit, { ...view, attempts }, view.status, cycle)
  }
}

const keepNew = (debit: Debit, next: Debit): DebitTransition => {
  const isSame =
    debit.status === next.status &&
    debit.attempts.length === next.attempts.length &&
    debit.attempts.every((attempt, index) => attempt === next.attempts[index])
  return isSame ? {} : { next }
}

const finish = (
  debit: Debit,
  { attempts, code }: DebitView,
  end: "rejected" | "expired",
  { settlesOn }: ChargeCycle,
): DebitTransition => {
  const reason = end === "rejected" ? "rejected" : "unpaid"
  const failure = failureOf(attempts.at(-1) ?? { on: settlesOn }, code)
  const next: Debit = { ...debit, status: reason, attempts, failure }
  return isReported(debit, failure.on) ? { next } : { next, news: { kind: "payment-failed", reason, ...failure } }
}

const failureOf = (attempt: Pick<DebitAttempt, "on" | "code">, endCode?: string) => {
  const { on, code = endCode } = attempt
  return { on, ...(code !== undefined && { code }) }
}

const isReported = ({ failure }: Debit, on: LocalDate): boolean => failure?.on === on

/** `attempts` are the known attempts merged with the bank's view; `shown` are the view's alone. */
interface Look {
  readonly attempts: ReadonlyArray<DebitAttempt>
  readonly shown: ReadonlyArray<DebitAttempt>
  readonly now: number
}

const follow = (cycle: ChargeCycle, debit: Debit, look: Look): DebitTransition => {
  const { attempts, now } = look
  const scheduled = attempts.findLast(({ status }) => status === "scheduled")
  const next: Debit = { ...debit, status: scheduled === undefined ? "registered" : "scheduled", attempts }
  if (scheduled !== undefined && isNewlyScheduled(debit, scheduled)) {
    return { next: withoutFailureOn(next, scheduled.on), news: { kind: "payment-scheduled", attempt: scheduled } }
  }
  const failed = findFailure(look)
  if (failed === undefined || isReported(debit, failed.on)) return keepNew(debit, next)
  const failure = failureOf(failed)
  const known: Debit = { ...next, failure }
  const lastDay = findRetryObstacle(cycle, known, now) === undefined ? openDays(cycle, known, now).at(-1) : undefined
  return {
    next: known,
    news: {
      kind: "payment-failed",
      reason: failed.status === "rejected" ? "rejected" : "unpaid",
      ...failure,
      ...(lastDay !== undefined && { mayRetryUntil: requestableUntil(lastDay) }),
    },
  }
}

const isNewlyScheduled = ({ attempts }: Debit, scheduled: DebitAttempt): boolean =>
  !attempts.some(({ status, kind, on }) => status === "scheduled" && kind === scheduled.kind && on === scheduled.on)

/** Another order of the same day can fail too. */
const withoutFailureOn = (debit: Debit, day: LocalDate): Debit => {
  const { failure, ...rest } = debit
  return failure?.on === day ? rest : debit
}

/** A failed attempt counts after its day, because until then the banks can send the order again. */
const findFailure = ({ attempts, shown, now }: Look): DebitAttempt | undefined => {
  const last = attempts.at(-1)
  const mayPay = [...attempts, ...shown].some((attempt) => isLiveAttempt(attempt) || attempt.status === "paid")
  if (last === undefined || mayPay) return undefined
  const isRejectedBefore = last.status === "rejected" && now < startOfBrasiliaDay(last.on)
  return isRejectedBefore || now >= attemptsUntil(last.on) ? last : undefined
}

export type RetryObstacle =
  | "notPermitted"
  | "underWay"
  | "exhausted"
  | "tooLate"
  | "pointless"
  | "notFailed"
  | "wrongDay"
  | "paid"
  | "cancelled"
  | "notDebited"

/** Why a new attempt can't be requested for any day, or for the day `on`. Total and pure. */
export const findRetryObstacle = (
  cycle: ChargeCycle,
  debit: Debit,
  now: number,
  on?: LocalDate,
): RetryObstacle | undefined => {
  const { attempts, status, failure } = debit
  if (cycle.retryDays.length === 0) return "notPermitted"
  if (status === "unpaid") return "tooLate"
  if (status === "rejected") return "pointless"
  if (attempts.some(isLiveAttempt) || isAwaited(debit, now)) return "underWay"
  if (failure === undefined) return "notFailed"
  if (retriedDays(debit).size >= maxRetries) return "exhausted"
  if (failure.code !== undefined && finalCodes.has(failure.code)) return "pointless"
  const days = openDays(cycle, debit, now)
  if (days.length === 0) return "tooLate"
  return on === undefined || days.includes(on) ? undefined : "wrongDay"
}

export const findRetryDay = (cycle: ChargeCycle, debit: Debit, now: number): LocalDate | undefined =>
  findRetryObstacle(cycle, debit, now) === undefined ? openDays(cycle, debit, now)[0] : undefined

/** Includes retries that restored books lack. */
const retriedDays = ({ attempts, retries }: Debit): ReadonlySet<LocalDate> =>
  new Set([...retries, ...attempts.filter(({ kind }) => kind === "retry").map(({ on }) => on)])

const openDays = ({ retryDays }: ChargeCycle, { attempts }: Debit, now: number) =>
  retryDays.filter((day) => now < requestableUntil(day) && attempts.every(({ on }) => on < day))

const isAwaited = ({ attempts, retries }: Debit, now: number): boolean => {
  const last = retries.at(-1)
  return last !== undefined && !attempts.some(({ on }) => on === last) && now < attemptsUntil(last)
}
