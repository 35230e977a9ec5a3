import { reportIf } from "../rules.ts"
import { isRestored, minUpMs, refused, upMs } from "./bankRules.ts"
import { cycleStart, findCycle, momentAt, plusDays } from "./calendar.ts"
import type { Cobr, Find, RecurrenceEvidence } from "./RecurrenceEvidence.ts"

type Recurrence = RecurrenceEvidence["books"]["recurrences"][number]

const recurrenceOf = ({ books }: RecurrenceEvidence, { rec }: Cobr): Recurrence | undefined =>
  books.recurrences.find(({ issuer, contract }) => issuer === rec.issuer && contract === rec.contract)

/** The days of new attempts that the terms plan for a charge: after its first debit, and before the next cycle. */
const plannedDays = ({ rec, dueDate, settlesOn }: Cobr, retryOn: ReadonlyArray<number> = []): ReadonlyArray<string> => {
  const next = cycleStart(rec, findCycle(rec, dueDate) + 1)
  return retryOn.map((days) => plusDays(dueDate, days)).filter((day) => day > settlesOn && day < next)
}

/** A new attempt is of the plan's days, or a client requested one before. */
const unplanned: Find = (seen) =>
  seen.ledger.orders.flatMap(({ kind, about, on = "", sentAt }) => {
    const cobr = kind === "retry" ? seen.ledger.cobrs.get(about) : undefined
    const recurrence = cobr && recurrenceOf(seen, cobr)
    if (cobr === undefined || recurrence === undefined || plannedDays(cobr, recurrence.retryOn).includes(on)) return []
    const isRequested = seen.answers.some(
      (one) => one.do === "retry" && one.recurrence === recurrence.id && one.requestedAt <= sentAt,
    )
    return reportIf(!isRequested, `${about} is retried on ${on}, which is neither planned nor requested`)
  })

/** True if the day's attempt was owed: the one before had failed in time, and a process ran. */
const isOwed = (seen: RecurrenceEvidence, cobr: Cobr, recurrence: Recurrence, on: string): boolean => {
  const opensAt = momentAt(plusDays(on, -1), 0)
  const closesAt = momentAt(plusDays(on, -1), 22)
  const before = cobr.attempts.filter((one) => one.on < on)
  const hasEnded = before.every((one) => one.on <= plusDays(on, -2) && one.status !== "paid")
  const retries = before.filter(({ kind }) => kind === "retry").length
  const { rec, endedAt = Infinity, status } = cobr
  const isOver = (status !== "active" && endedAt < momentAt(on, 0)) || (rec.status !== "approved" && rec.at < closesAt)
  // A host's retry takes the place of the day's.
  const isDecided = seen.answers.some(
    ({ do: done, recurrence: of, requestedAt }) =>
      of === recurrence.id &&
      requestedAt < closesAt &&
      (done === "end" || (["retry", "cancel", "skip"].includes(done) && requestedAt > cobr.madeAt)),
  )
  if (before.length === 0 || !hasEnded || retries >= 3 || isOver || isDecided || closesAt > seen.now) return false
  return !isRestored(seen, opensAt - 12 * minUpMs, closesAt) && upMs(seen, opensAt, closesAt) >= minUpMs
}

/** Finds planned attempts that the bank was not asked for. */
const missing: Find = (seen) =>
  [...seen.ledger.cobrs.values()].flatMap((cobr) => {
    const recurrence = recurrenceOf(seen, cobr)
    if (recurrence === undefined) return []
    return plannedDays(cobr, recurrence.retryOn)
      .filter((on) => isOwed(seen, cobr, recurrence, on))
      .filter(
        (on) => !seen.ledger.orders.some((one) => one.kind === "retry" && one.about === cobr.txid && one.on === on),
      )
      .map((on) => `${cobr.txid} failed, but its attempt planned for ${on} was never requested`)
  })

/** An announced attempt is one of the plan's, after the failure. */
const wronglyAnnounced: Find = (seen) =>
  seen.receipts.flatMap(({ event }) => {
    if (event.kind !== "payment-failed" || event.nextAttemptOn === undefined) return []
    const { charge, nextAttemptOn, on } = event
    const cobr = seen.ledger.cobrs.get(charge?.txid ?? "")
    const days = cobr === undefined ? [] : plannedDays(cobr, recurrenceOf(seen, cobr)?.retryOn)
    const isPlanned = days.includes(nextAttemptOn) && nextAttemptOn > on
    const what = `${charge?.txid} failed on ${on}, and its next attempt is announced for ${nextAttemptOn}`
    return reportIf(!isPlanned, what)
  })

/**
 * Finds new attempts that the bank refused, unplanned and unrequested attempts, and planned attempts that are missing. After a
 * restore some refusals are excused, because the books can have forgotten an attempt.
 */
export const retriesAreOneByOne: Find = (seen) => [
  ...(seen.setBacks.length > 0 ? [] : refused(seen, "retry", ["policy", "live", "exhausted"])),
  ...unplanned(seen),
  ...missing(seen),
  ...wronglyAnnounced(seen),
]
