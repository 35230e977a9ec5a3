import { startOfBrasiliaDay } from "../calendar/BrasiliaTime.ts"
import { addDays, type LocalDate } from "../calendar/LocalDate.ts"
import { maxRetries, requestableUntil } from "./cycles.ts"
import { attemptsUntil, type ChargeCycle, type Debit, isLiveAttempt } from "./Debit.ts"

/** Wrong account, debtor or order: a new attempt would fail again. */
const finalCodes: ReadonlySet<string> = new Set(
  "AC05 AM09 DENC DS27 DTED DTNT IRNT MIDI MSUC NIPA NITX QUNT RC09 UDEI".split(" "),
)

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

/** Why no new attempt is possible, on any day or on the day `on`. Total and pure. */
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

export const findRetryDays = (cycle: ChargeCycle, debit: Debit, now: number): ReadonlyArray<LocalDate> =>
  findRetryObstacle(cycle, debit, now) === undefined ? openDays(cycle, debit, now) : []

export const findRetryDay = (cycle: ChargeCycle, debit: Debit, now: number): LocalDate | undefined =>
  findRetryDays(cycle, debit, now)[0]

/** The plan's next day after the last failure. */
export const findPlannedDay = (cycle: ChargeCycle, debit: Debit, now: number): LocalDate | undefined => {
  const { plannedRetryDays: planned = [] } = cycle
  const since = debit.failure?.on ?? ""
  return findRetryDays(cycle, debit, now).find((day) => day > since && planned.includes(day))
}

/** The announced attempt, on the day before it until 22:00 in Brasília. */
export const findDueRetry = (cycle: ChargeCycle, debit: Debit, now: number): LocalDate | undefined => {
  const { nextAttemptOn: on } = debit
  if (on === undefined || now < startOfBrasiliaDay(addDays(on, -1))) return undefined
  return findRetryObstacle(cycle, debit, now, on) === undefined ? on : undefined
}

/** A day of the plan that has passed without an attempt. */
export const findLostDay = (cycle: ChargeCycle, debit: Debit, now: number): LocalDate | undefined => {
  const { plannedRetryDays: planned } = cycle
  const { nextAttemptOn: announced, failure, retries } = debit
  if (planned === undefined || failure === undefined) return undefined
  if (announced !== undefined) {
    return planned.includes(announced) && now < requestableUntil(announced) ? undefined : announced
  }
  const requested = retries.at(-1)
  return requested !== undefined && requested > failure.on && !isAwaited(debit, now) ? requested : undefined
}

/** Includes retries that restored books lack. */
const retriedDays = ({ attempts, retries }: Debit): ReadonlySet<LocalDate> =>
  new Set([...retries, ...attempts.filter(({ kind }) => kind === "retry").map(({ on }) => on)])

const openDays = ({ retryDays }: ChargeCycle, { attempts }: Debit, now: number) =>
  retryDays.filter((day) => now < requestableUntil(day) && attempts.every(({ on }) => on < day))

const isAwaited = ({ attempts, retries }: Debit, now: number): boolean => {
  const last = retries.at(-1)
  return last !== undefined && !attempts.some(({ on }) => on === last) && now < attemptsUntil(last)
}
