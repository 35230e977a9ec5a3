import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { LocalDate } from "../../model/calendar/LocalDate.ts"
import type { Holidays } from "../../model/calendar/Holidays.ts"
import {
  type Charge,
  type CycleCharge,
  isCycleCharge,
  isFailed,
  type PendingCharge,
} from "../../model/charge/Charge.ts"
import { isInRanges } from "../../model/cycle/CycleRange.ts"
import { type DebitView, freesCycle, isCancellable, unseenMs } from "../../model/cycle/Debit.ts"
import {
  requestableUntil,
  type CycleSchedule,
  cycleSchedule,
  hasCycle,
  mayHaveCharge,
} from "../../model/cycle/cycles.ts"
import { findDueRetry } from "../../model/cycle/retries.ts"
import type { Cents } from "../../model/money/Money.ts"
import { newCycleCharge } from "../../model/recurrence/CycleCharge.ts"
import { type AuthorisedRecurrence, isAuthorised, type Recurrence } from "../../model/recurrence/Recurrence.ts"
import { passCycle } from "../../model/recurrence/decideRecurrence.ts"
import { chargeableUntil } from "../../model/recurrence/recurrenceChecks.ts"
import type { AboutRecurrence } from "../../model/recurrence/recurrenceErrors.ts"
import type { AuditChange } from "../../ports/AuditLog.ts"
import type { CycleView } from "../../ports/RecurrenceProcessor.ts"
import { StoreUnavailable } from "../../ports/portErrors.ts"
import { logFailure } from "../../runtime/telemetry.ts"
import { isKeyOfAnother } from "../charges/Receivers.ts"
import { maxRounds } from "../charges/moveUntilCommitted.ts"
import { RecurrencePorts } from "./RecurrencePorts.ts"
import { answerMs, commitRecurrence, findHolidays, loadRecurrence, moveRecurrence } from "./moveRecurrence.ts"
import { findCompany } from "./recurrenceLife.ts"

export type PendingCycleCharge = CycleCharge<PendingCharge>

/** Stores a cycle's charge. Undefined if another writer was faster. */
export const storeCycleCharge = Effect.fnUntraced(function* <Known extends AuthorisedRecurrence>(
  recurrence: Known,
  schedule: CycleSchedule,
  given: { readonly amountCents: Cents; readonly generation: number },
  audit?: AuditChange,
) {
  const { transactionIds } = yield* RecurrencePorts
  const now = yield* Clock.currentTimeMillis
  const charge = newCycleCharge(recurrence, schedule, { ...given, transactionId: transactionIds.next() }, now)
  // `nextCycle` stays if it is an earlier cycle, because the windows of weekly cycles overlap.
  const nextCycle = recurrence.nextCycle === schedule.cycle ? schedule.cycle + 1 : recurrence.nextCycle
  const next: Known = { ...recurrence, version: recurrence.version + 1, updatedAt: now, nextCycle }
  const isStored = yield* commitRecurrence(recurrence, { next, charge }, { audit, checkAt: now + answerMs })
  return isStored ? { next, charge } : undefined
})

/**
 * Undefined if the bank doesn't show the charge. Under another company's key it counts only after the bank has confirmed our
 * order.
 */
const findShown = Effect.fnUntraced(function* (charge: PendingCycleCharge) {
  const { bank, directory } = yield* RecurrencePorts
  const view = yield* bank.lookupCharge(charge)
  if (view.debit.status === "absent") return undefined
  const isConfirmed = charge.debit?.status !== "requested"
  return isConfirmed || !(yield* isKeyOfAnother(directory, charge.issuer, view.pixKey)) ? view : undefined
})

/** Records payments first: they settle the charge in every state of its debit. */
const recordShown = Effect.fnUntraced(function* (charge: PendingCharge, view: CycleView, isStopped = false) {
  const { books } = yield* RecurrencePorts
  const after = yield* books.applyView(charge, view)
  return after._tag === "Pending" ? yield* recordDebit(after, view.debit, isStopped) : after
})

const recordDebit = Effect.fnUntraced(function* (charge: PendingCharge, view: DebitView, isStopped = false) {
  const { chargeMoves } = yield* RecurrencePorts
  return yield* chargeMoves.apply(charge, { _tag: "RecordDebit", view, isStopped })
})

const isSkipped = ({ skipped = [] }: Recurrence, { cycle }: Charge): boolean =>
  cycle !== undefined && isInRanges(skipped, cycle.cycle)

/** Whether the plan requests no further attempt. */
const isStopped = (recurrence: Recurrence, charge: Charge): boolean =>
  recurrence._tag !== "Approved" || isSkipped(recurrence, charge)

/** Cancels the charge of a skipped cycle. Undefined if the charge stays and must be followed. */
const cancelSkipped = Effect.fnUntraced(function* (recurrence: Recurrence, charge: Charge) {
  const { charges } = yield* RecurrencePorts
  const { issuer, id, _tag: state } = charge
  const mustCancel = state === "Pending" && isSkipped(recurrence, charge)
  if (!mustCancel || !isCancellable(charge, yield* Clock.currentTimeMillis)) return undefined
  return yield* Effect.catchTag(
    charges.cancel(issuer, id),
    ["ProcessorRejected", "ChargeAlreadyPaid", "CancelTooLate"],
    (cause) => Effect.as(logFailure("Warn", `The bank keeps the charge ${id} of a skipped cycle`, cause), undefined),
  )
})

/** Consecutive orders of a cycle that can have left no charge at the bank. */
const maxAbsentOrders = 3

/** Used if neither the recurrence nor the bank gives an amount. */
const minCents = 1 as Cents

/** Stores charges that only the bank has, if the last charge in the books freed the cycle. Undefined without such a charge. */
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
    const isOver = isStopped(recovered, made.charge)
    yield* cancelSkipped(recovered, yield* recordShown(made.charge, found.view, isOver))
  }
  return yield* new StoreUnavailable({ operation: "commit", cause: "the cycle's charges kept changing" })
})

const findNext = Effect.fnUntraced(function* (recurrence: AuthorisedRecurrence, cycle: number, from: number) {
  const { transactionIds } = yield* RecurrencePorts
  const holidays = yield* findHolidays(recurrence.issuer)
  const usual = cycleSchedule(recurrence, cycle, holidays)
  for (let generation = from; usual !== undefined && generation <= from + maxAbsentOrders; generation++) {
    const given = { amountCents: recurrence.amountCents ?? minCents, generation, transactionId: transactionIds.next() }
    const wanted = newCycleCharge(recurrence, usual, given, yield* Clock.currentTimeMillis)
    const view = yield* findShown(wanted)
    if (view === undefined) continue
    const { amountCents, dueDate } = view.terms ?? wanted
    return { view, amountCents, generation, schedule: cycleSchedule(recurrence, cycle, holidays, dueDate) ?? usual }
  }
  return undefined
})

/** Returns whether the bank had a later charge. */
export const recoverNext = ({ issuer, cycle }: CycleCharge) =>
  Effect.map(recoverCycle({ issuer, id: cycle.recurrenceId }, cycle.cycle), (recovered) => recovered !== undefined)

/**
 * If the bank refused the charge because of a later one of its cycle, cancels it and recovers the later one. Undefined without
 * one.
 */
const recoverReplacement = Effect.fnUntraced(function* (charge: PendingCycleCharge) {
  const { recurrences, chargeMoves } = yield* RecurrencePorts
  const { issuer, cycle } = charge
  const recurrence = yield* loadRecurrence(issuer, cycle.recurrenceId)
  if (!isAuthorised(recurrence)) return undefined
  if ((yield* findNext(recurrence, cycle.cycle, cycle.generation + 1)) === undefined) return undefined
  yield* chargeMoves.apply(charge, { _tag: "Cancel", by: "bank" })
  yield* recoverCycle(recurrence, cycle.cycle)
  return yield* recurrences.lastCharge(issuer, cycle.recurrenceId, cycle.cycle)
})

/** Recovers charges of an ended recurrence, because restored books can learn of the end first. */
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

const refused: DebitView = { status: "rejected", attempts: [] }

/** True while the bank may show the charge of an unanswered order later. */
const mayHave = ({ createdAt }: PendingCharge) =>
  Effect.map(Clock.currentTimeMillis, (now) => now < createdAt + unseenMs)

/** A final refusal fails the charge, unless the bank has the charge after all. */
export const registerCharge = Effect.fnUntraced(function* (charge: PendingCycleCharge, isRepeated: boolean) {
  const { bank } = yield* RecurrencePorts
  const company = yield* findCompany(charge.issuer)
  const isRefused = yield* bank.charge({ company, charge }).pipe(
    Effect.as(false),
    Effect.catchTag("ProcessorRejected", (cause) =>
      Effect.as(logFailure("Error", `The bank refused the charge ${charge.id} of a cycle`, cause), true),
    ),
  )
  if (!isRefused) return yield* recordDebit(charge, { status: "active", attempts: [] })
  const view = yield* findShown(charge)
  // The txid follows from the cycle, so this is the cycle's charge. Its amount differs if restored books forgot the host's
  // request.
  if (view !== undefined) return yield* recordShown(charge, view)
  const replacement = yield* recoverReplacement(charge)
  if (replacement !== undefined) return replacement
  return isRepeated && (yield* mayHave(charge)) ? charge : yield* recordDebit(charge, refused)
})

/** Registers the charge again if the bank doesn't have it. */
export const followDebit = Effect.fnUntraced(function* (
  recurrence: Recurrence,
  charge: PendingCycleCharge,
  holidays: Holidays,
) {
  const cancelled = yield* cancelSkipped(recurrence, charge)
  if (cancelled !== undefined) return cancelled
  const view = yield* findShown(charge)
  const isOver = isStopped(recurrence, charge)
  if (view !== undefined) {
    const shown = yield* recordShown(charge, view, isOver)
    return isOver ? shown : yield* requestAttempt(shown)
  }
  // The bank can show a confirmed charge late. Failing it now would miss its payment.
  if (charge.debit?.status !== "requested") return charge
  const isOpen = (yield* Clock.currentTimeMillis) < chargeableUntil(recurrence, charge, holidays)
  if (isOpen && !isOver) return yield* registerCharge(charge, true)
  return (yield* mayHave(charge)) ? charge : yield* recordDebit(charge, refused)
})

/** Also repeats an unanswered request. */
const requestAttempt = Effect.fnUntraced(function* (charge: Charge) {
  const { chargeMoves } = yield* RecurrencePorts
  if (charge._tag !== "Pending" || isFailed(charge) || !isCycleCharge(charge) || !charge.debit) return charge
  const now = yield* Clock.currentTimeMillis
  const due = findDueRetry(charge.cycle, charge.debit, now)
  if (due !== undefined) {
    // Stored before the call, so only one process calls.
    const { state, isOurs } = yield* chargeMoves.move(charge, { _tag: "RequestRetry", on: due })
    return isOurs && isCycleCharge(state) ? yield* askForAttempt(state, due) : state
  }
  const { retries, attempts } = charge.debit
  const on = retries.at(-1)
  const isShown = attempts.some((attempt) => attempt.on === on)
  return on === undefined || isShown || now >= requestableUntil(on) ? charge : yield* askForAttempt(charge, on)
})

const askForAttempt = Effect.fnUntraced(function* (charge: CycleCharge, on: LocalDate) {
  const { bank, chargeMoves } = yield* RecurrencePorts
  return yield* bank.retry(charge, on).pipe(
    Effect.as(charge),
    Effect.catchTag("ProcessorRejected", (cause) =>
      Effect.andThen(
        logFailure("Warn", `The bank refused a new attempt of the charge ${charge.id}`, cause),
        chargeMoves.apply(charge, { _tag: "RecordRetryRefusal", on }),
      ),
    ),
  )
})

export const followPaid = Effect.fnUntraced(function* (charge: CycleCharge) {
  const { bank, books } = yield* RecurrencePorts
  const after = yield* books.applyView(charge, yield* bank.lookupCharge(charge))
  return after.version !== charge.version
})
