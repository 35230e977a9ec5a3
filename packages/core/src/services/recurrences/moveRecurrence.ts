import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { nationalBankHolidays } from "../../model/calendar/Holidays.ts"
import { eventRecurrence, recurrenceEventId } from "../../model/charge/PixEvent.ts"
import type { RecurrenceId } from "../../model/cycle/RecurrenceId.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { RecurrenceDecision, RecurrenceMove, RecurrenceNews } from "../../model/recurrence/decideRecurrence.ts"
import { findNextDueDate } from "../../model/recurrence/CycleCharge.ts"
import type { Recurrence } from "../../model/recurrence/Recurrence.ts"
import { nextOfferCheckAt } from "../../model/recurrence/recurrenceChecks.ts"
import { RecurrenceNotFound } from "../../model/recurrence/recurrenceErrors.ts"
import type { AuditChange } from "../../ports/AuditLog.ts"
import { moveUntilCommitted } from "../charges/moveUntilCommitted.ts"
import { makeDeliver } from "../events/hostDelivery.ts"
import { RecurrencePorts } from "./RecurrencePorts.ts"

export const loadRecurrence = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId) {
  const { recurrences } = yield* RecurrencePorts
  const recurrence = yield* recurrences.find(issuer, id)
  return recurrence ?? (yield* new RecurrenceNotFound({ issuer, id }))
})

export const findHolidays = Effect.fnUntraced(function* (issuer: Cnpj) {
  const { directory, calendar } = yield* RecurrencePorts
  const entry = yield* directory.find(issuer)
  return entry === undefined ? nationalBankHolidays : calendar.forCompany(entry.company)
})

/** Uses the national holidays while the directory doesn't answer. */
export const findDueDates = Effect.fnUntraced(function* (issuer: Cnpj) {
  const holidays = yield* Effect.catch(findHolidays(issuer), () => Effect.succeed(nationalBankHolidays))
  const now = yield* Clock.currentTimeMillis
  return (recurrence: Recurrence) => findNextDueDate(recurrence, holidays, now)
})

/** Time until the next check if this process dies. */
export const answerMs = 60_000

interface MoveExtras {
  readonly audit?: AuditChange | undefined
  /** Time of the next check, if the recurrence's state doesn't decide it. */
  readonly checkAt?: number
}

export const moveRecurrence = Effect.fnUntraced(function* (
  read: Recurrence,
  decision: RecurrenceDecision,
  extras?: MoveExtras,
) {
  const { state } = yield* moveUntilCommitted("recurrence", read, (known, now) =>
    attempt(known, decision(known, now), extras),
  )
  return state
})

const attempt = Effect.fnUntraced(function* (read: Recurrence, { next, ...rest }: RecurrenceMove, extras?: MoveExtras) {
  if (next === undefined) return { state: read, isOurs: false }
  if (yield* commitRecurrence(read, { next, ...rest }, extras)) return { state: next, isOurs: true }
  return { state: yield* loadRecurrence(read.issuer, read.id), isOurs: false, isStale: true }
})

/** Returns false if the recurrence has moved meanwhile, or the cycle of its new charge is taken. */
export const commitRecurrence = Effect.fnUntraced(function* (
  { issuer, id, version }: Recurrence,
  { next, charge, news }: RecurrenceMove & { readonly next: Recurrence },
  { audit, checkAt }: MoveExtras = {},
) {
  const { recurrences, signal } = yield* RecurrencePorts
  const deliveries = news === undefined ? [] : yield* newDeliveries(next, news)
  const now = yield* Clock.currentTimeMillis
  // A recurrence that can have debits is checked now.
  const isUnanswered = next._tag === "Requested" || next._tag === "Offered"
  const isMoved = yield* recurrences.commit({
    issuer,
    id,
    expectedVersion: version,
    next,
    deliveries,
    checkAt: checkAt ?? (isUnanswered ? nextOfferCheckAt(next, now) : now),
    ...(charge && { charge }),
    ...(audit && { audit }),
  })
  if (isMoved && deliveries.length > 0) yield* signal.notify(deliveries)
  return isMoved
})

const newDeliveries = Effect.fnUntraced(function* (next: Recurrence, news: RecurrenceNews) {
  const ports = yield* RecurrencePorts
  const { issuer, id: recurrenceId } = next
  const firstDueDate = news.kind === "recurrence-approved" ? (yield* findDueDates(issuer))(next) : undefined
  return yield* makeDeliver(ports)(issuer, news.kind, (companyName) => {
    const facts = {
      id: recurrenceEventId({ issuer, recurrenceId }, "cycle" in news ? `${news.cycle}_${news.kind}` : news.kind),
      issuer,
      companyName,
      occurredAt: next.updatedAt,
      recurrence: eventRecurrence(next),
    }
    return { ...facts, ...news, ...(firstDueDate && { firstDueDate }) }
  })
})
