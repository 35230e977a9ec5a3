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
import { findLostDay, findPlannedDay, findRetryDays } from "./retries.ts"

/** Instants are epoch milliseconds. */
export type DebitNews =
  | { readonly kind: "payment-scheduled"; readonly attempt: DebitAttempt }
  | {
      readonly kind: "payment-failed"
      readonly reason: "rejected" | "unpaid"
      readonly on: LocalDate
      readonly code?: string
      readonly mayRetryUntil?: number
      readonly nextAttemptOn?: LocalDate
    }

export interface DebitTransition {
  readonly next?: Debit
  readonly news?: DebitNews
  readonly isCancelled?: true
}

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
  cycle: ChargeCycle,
): DebitTransition => {
  const reason = end === "rejected" ? "rejected" : "unpaid"
  const last = attempts.at(-1) ?? { on: cycle.settlesOn }
  const isNew = !isReported(debit, last.on)
  // An end also ends an announced attempt.
  const lost = isNew ? undefined : findLostDay(cycle, debit, Infinity)
  const failure = failureOf(lost === undefined ? last : { on: lost }, code)
  const { nextAttemptOn: _, ...known } = debit
  const next: Debit = { ...known, status: reason, attempts, failure }
  return isNew || lost !== undefined ? { next, news: { kind: "payment-failed", reason, ...failure } } : { next }
}

const failureOf = (attempt: Pick<DebitAttempt, "on" | "code">, endCode?: string) => {
  const { on, code = endCode } = attempt
  return { on, ...(code !== undefined && { code }) }
}

const isReported = ({ failure }: Debit, on: LocalDate): boolean => failure !== undefined && failure.on >= on

interface Look {
  /** The known attempts and the shown attempts. */
  readonly attempts: ReadonlyArray<DebitAttempt>
  /** The attempts that the bank shows. */
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
  if (failed === undefined) return keepNew(debit, next)
  if (!isReported(debit, failed.on)) return fail(cycle, next, failed, now)
  const lost = findLostDay(cycle, next, now)
  return lost === undefined ? keepNew(debit, next) : fail(cycle, next, { on: lost, status: "expired" }, now)
}

const fail = (
  cycle: ChargeCycle,
  { nextAttemptOn: _, ...debit }: Debit,
  failed: Pick<DebitAttempt, "on" | "status" | "code">,
  now: number,
): DebitTransition => {
  const failure = failureOf(failed)
  const known: Debit = { ...debit, failure }
  const lastDay = findRetryDays(cycle, known, now).at(-1)
  const nextAttemptOn = findPlannedDay(cycle, known, now)
  return {
    next: { ...known, ...(nextAttemptOn && { nextAttemptOn }) },
    news: {
      kind: "payment-failed",
      reason: failed.status === "rejected" ? "rejected" : "unpaid",
      ...failure,
      ...(lastDay !== undefined && { mayRetryUntil: requestableUntil(lastDay) }),
      ...(nextAttemptOn && { nextAttemptOn }),
    },
  }
}

/**
 * Requests an attempt instead of the announced one. The failure returns to the last attempt's day: the bank can have refused this
 * day before.
 */
export const requestRetry = (debit: Debit, on: LocalDate): Debit => {
  const { nextAttemptOn: _, failure, ...rest } = debit
  const failedOn = debit.attempts.at(-1)?.on
  return {
    ...rest,
    retries: [...debit.retries, on],
    ...(failure && { failure: { ...failure, ...(failedOn && { on: failedOn }) } }),
  }
}

/** A refused attempt doesn't count as one of three. A refused day of the plan is published as failed; the next day follows. */
export const refuseRetry = (cycle: ChargeCycle, debit: Debit, on: LocalDate, now: number): DebitTransition => {
  if (!debit.retries.includes(on)) return {}
  const next: Debit = { ...debit, retries: debit.retries.filter((day) => day !== on) }
  if (cycle.plannedRetryDays?.includes(on) === true) return fail(cycle, next, { on, status: "rejected" }, now)
  const nextAttemptOn = findPlannedDay(cycle, next, now)
  return { next: { ...next, ...(nextAttemptOn && { nextAttemptOn }) } }
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
