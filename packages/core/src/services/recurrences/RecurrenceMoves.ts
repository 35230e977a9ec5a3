import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChargePorts } from "../charges/ChargePorts.ts"
import { moveUntilCommitted } from "../charges/moveUntilCommitted.ts"
import type { CycleCharge, PendingCharge } from "../../model/charge/Charge.ts"
import { eventRecurrence, recurrenceEventId, type RecurrenceEvent } from "../../model/charge/PixEvent.ts"
import { makeDeliver } from "../events/hostDelivery.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { AuditChange } from "../../ports/AuditLog.ts"
import { nationalBankHolidays } from "../../model/calendar/Holidays.ts"
import {
  decideRecurrence,
  type RecurrenceCommand,
  type RecurrenceTransition,
} from "../../model/recurrence/decideRecurrence.ts"
import type { Recurrence } from "../../model/recurrence/Recurrence.ts"
import { findNextDueDate } from "../../model/recurrence/planCycle.ts"
import { nextOfferCheckAt } from "../../model/recurrence/recurrenceChecks.ts"
import { RecurrenceNotFound } from "../../model/recurrence/recurrenceErrors.ts"
import type { RecurrenceId } from "../../model/cycle/RecurrenceId.ts"

/** What an event of a recurrence says besides the recurrence. */
type News<Event extends RecurrenceEvent = RecurrenceEvent> = Event extends RecurrenceEvent
  ? Omit<Event, "id" | "issuer" | "companyName" | "occurredAt" | "recurrence">
  : never

/** A move of a recurrence: what it becomes, a cycle's charge that is made with it, and the event. */
export interface RecurrenceMove {
  readonly next?: Recurrence
  readonly charge?: CycleCharge<PendingCharge>
  readonly news?: News
}

/** What comes with a move. */
export interface MoveExtras {
  readonly audit?: AuditChange | undefined
  /** When it is checked next, instead of when its state asks for that. Epoch milliseconds. */
  readonly checkAt?: number
}

/** What distinguishes the events of one recurrence. */
const fact = (news: News): string => {
  switch (news.kind) {
    case "recurrence-approved":
    case "recurrence-ended":
      return news.kind
    case "payment-scheduled":
    case "payment-failed":
    case "cycle-due":
      return `${news.cycle}_${news.kind}`
  }
}

/** Loading recurrences and moving them: decide, commit, and once more from the start when another writer was faster. */
export const makeRecurrenceMoves = ({ recurrences, directory, endpoints, signal, calendar }: ChargePorts) => {
  const deliver = makeDeliver({ directory, endpoints })

  const load = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId) {
    const recurrence = yield* recurrences.find(issuer, id)
    return recurrence ?? (yield* new RecurrenceNotFound({ issuer, id }))
  })

  /** The closed days of its company. */
  const holidaysFor = (issuer: Cnpj) =>
    Effect.map(directory.find(issuer), (entry) =>
      entry === undefined ? nationalBankHolidays : calendar.forCompany(entry.company),
    )

  /** When recurrences of the company are due next. A directory without an answer keeps nobody from reading them. */
  const dueDates = Effect.fnUntraced(function* (issuer: Cnpj) {
    const holidays = yield* Effect.catch(holidaysFor(issuer), () => Effect.succeed(nationalBankHolidays))
    const now = yield* Clock.currentTimeMillis
    return (recurrence: Recurrence) => findNextDueDate(recurrence, holidays, now)
  })

  const deliveriesFor = Effect.fnUntraced(function* (next: Recurrence, news: News) {
    const { issuer, id: recurrenceId } = next
    const firstDueDate = news.kind === "recurrence-approved" ? (yield* dueDates(issuer))(next) : undefined
    return yield* deliver(issuer, news.kind, (companyName) => {
      const facts = {
        id: recurrenceEventId({ issuer, recurrenceId }, fact(news)),
        issuer,
        companyName,
        occurredAt: next.updatedAt,
        recurrence: eventRecurrence(next),
      }
      return { ...facts, ...news, ...(firstDueDate && { firstDueDate }) }
    })
  })

  /** One attempt; whether the recurrence was as it was read, and its cycle free. */
  const commit = Effect.fnUntraced(function* (
    read: Recurrence,
    { next, charge, news }: RecurrenceMove & { readonly next: Recurrence },
    { audit, checkAt }: MoveExtras = {},
  ) {
    const { issuer, id, version } = read
    const deliveries = news === undefined ? [] : yield* deliveriesFor(next, news)
    const now = yield* Clock.currentTimeMillis
    // One that may have debits is looked at now: its check knows when they are due.
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

  /** Decides on the recurrence as it was read, and commits that. */
  const attempt = Effect.fnUntraced(function* (
    state: Recurrence,
    { next, ...rest }: RecurrenceMove,
    extras: MoveExtras,
  ) {
    if (next === undefined) return { state, isOurs: false }
    if (yield* commit(state, { next, ...rest }, extras)) return { state: next, isOurs: true }
    return { state: yield* load(state.issuer, state.id), isOurs: false, isStale: true }
  })

  /** Moves it by a decision; returns it as it is then. */
  const moveBy = (
    read: Recurrence,
    decision: (recurrence: Recurrence, now: number) => RecurrenceMove,
    extras: MoveExtras = {},
  ) =>
    Effect.map(
      moveUntilCommitted("recurrence", read, (state, now) => attempt(state, decision(state, now), extras)),
      ({ state }) => state,
    )

  /** Moves it by a command of its own life. */
  const apply = (read: Recurrence, command: RecurrenceCommand, extras?: MoveExtras) =>
    moveBy(read, (recurrence, now) => toMove(decideRecurrence(recurrence, command, now)), extras)

  return { load, holidaysFor, dueDates, commit, moveBy, apply }
}

export type RecurrenceMoves = ReturnType<typeof makeRecurrenceMoves>

/** The move of a decision about a recurrence's own life, with its event. */
const toMove = ({ next, publish }: RecurrenceTransition): RecurrenceMove => {
  if (next === undefined) return {}
  if (publish === undefined) return { next }
  if (next._tag !== "Ended") return { next, news: { kind: "recurrence-approved" } }
  const { at: _, ...end } = next.end
  return { next, news: { kind: "recurrence-ended", end } }
}
