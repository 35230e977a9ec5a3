import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Holidays } from "../../model/calendar/Holidays.ts"
import type { CycleCharge } from "../../model/charge/Charge.ts"
import { cycleSchedule, hasCycle, mayHaveCharge } from "../../model/cycle/cycles.ts"
import { freesCycle } from "../../model/cycle/Debit.ts"
import type { Cents } from "../../model/money/Money.ts"
import { newCycleCharge } from "../../model/recurrence/CycleCharge.ts"
import { passCycle } from "../../model/recurrence/decideRecurrence.ts"
import { type AuthorisedRecurrence, isAuthorised, type Recurrence } from "../../model/recurrence/Recurrence.ts"
import type { AboutRecurrence } from "../../model/recurrence/recurrenceErrors.ts"
import { StoreUnavailable } from "../../ports/portErrors.ts"
import { maxRounds } from "../charges/moveUntilCommitted.ts"
import { cancelSkipped, findShown, type PendingCycleCharge, recordShown, storeCycleCharge } from "./cycleCharges.ts"
import { findHolidays, loadRecurrence, moveRecurrence } from "./moveRecurrence.ts"
import { RecurrencePorts } from "./RecurrencePorts.ts"

/** How many orders of a cycle in a row may have left no charge at the bank: refused there, or cancelled on their way. */
const maxLeftNothing = 3

/** Stands for an amount that neither the recurrence nor the bank says. */
const minCents = 1 as Cents

/**
 * Stores the charges of a cycle that the bank has and that books restored from a backup have forgotten: all that came after the last
 * one in the books, if that freed the cycle. Returns the recurrence as it is then; undefined if the bank has none.
 */
export const recoverCycle = Effect.fnUntraced(function* ({ issuer, id }: AboutRecurrence, cycle: number) {
  const { recurrences } = yield* RecurrencePorts
  let recovered: AuthorisedRecurrence | undefined
  for (let round = 0; round < maxRounds; round++) {
    const known = yield* loadRecurrence(issuer, id)
    const last = yield* recurrences.lastCharge(issuer, id, cycle)
    if (!isAuthorised(known) || (last !== undefined && !freesCycle(last))) return recovered
    const found = yield* findNext(known, cycle, (last?.cycle.generation ?? 0) + 1)
    if (found === undefined) return recovered
    const made = yield* storeCycleCharge(known, found.schedule, found)
    if (made === undefined) continue
    recovered = made.next
    yield* cancelSkipped(recovered, yield* recordShown(made.charge, found.view))
  }
  return yield* new StoreUnavailable({ operation: "commit", cause: "the cycle's charges kept changing" })
})

/** The first charge of a cycle, from a generation on, that the bank has: its txid follows from cycle and generation. */
const findNext = Effect.fnUntraced(function* (recurrence: AuthorisedRecurrence, cycle: number, from: number) {
  const { transactionIds } = yield* RecurrencePorts
  const holidays = yield* findHolidays(recurrence.issuer)
  const usual = cycleSchedule(recurrence, cycle, holidays)
  for (let generation = from; usual !== undefined && generation <= from + maxLeftNothing; generation++) {
    const given = { amountCents: recurrence.amountCents ?? minCents, generation, transactionId: transactionIds.next() }
    const wanted = newCycleCharge(recurrence, usual, given, yield* Clock.currentTimeMillis)
    const view = yield* findShown(wanted)
    if (view === undefined) continue
    const { amountCents, dueDate } = view.terms ?? wanted
    return { view, amountCents, generation, schedule: cycleSchedule(recurrence, cycle, holidays, dueDate) ?? usual }
  }
  return undefined
})

/** Recovers what came after a charge that freed its cycle; whether that was something. */
export const recoverNext = ({ issuer, cycle }: CycleCharge) =>
  Effect.map(recoverCycle({ issuer, id: cycle.recurrenceId }, cycle.cycle), (recovered) => recovered !== undefined)

/**
 * Recovers the later charge of a cycle, because of which the bank refuses this one: this one is cancelled, and has not failed. Returns
 * the later one; undefined if the bank has none.
 */
export const recoverReplacement = Effect.fnUntraced(function* (charge: PendingCycleCharge) {
  const { recurrences, chargeMoves } = yield* RecurrencePorts
  const { issuer, cycle } = charge
  const recurrence = yield* loadRecurrence(issuer, cycle.recurrenceId)
  if (!isAuthorised(recurrence)) return undefined
  if ((yield* findNext(recurrence, cycle.cycle, cycle.generation + 1)) === undefined) return undefined
  yield* chargeMoves.apply(charge, { _tag: "Cancel" })
  yield* recoverCycle(recurrence, cycle.cycle)
  return yield* recurrences.lastCharge(issuer, cycle.recurrenceId, cycle.cycle)
})

/**
 * Recovers the cycles of an ended recurrence that may have had charges until its end: restored books may learn of the end before they
 * know of these. Each is looked up once.
 */
export const recoverEnded = Effect.fnUntraced(function* (ended: Recurrence, holidays: Holidays) {
  let recurrence = ended
  while (recurrence._tag === "Ended" && recurrence.bankId !== undefined && recurrence.end.reason !== "declined") {
    const cycle: number = recurrence.nextCycle
    const schedule = cycleSchedule(recurrence, cycle, holidays)
    if (!hasCycle(recurrence, cycle) || !mayHaveCharge(schedule, recurrence.end.at)) return recurrence
    const recovered: Recurrence = (yield* recoverCycle(recurrence, cycle)) ?? recurrence
    recurrence = yield* moveRecurrence(recovered, passCycle(recovered, cycle, false))
  }
  return recurrence
})
