import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { LocalDate } from "../../model/calendar/LocalDate.ts"
import { type Charge, isCycleCharge, isFailed } from "../../model/charge/Charge.ts"
import { ChargeAlreadyPaid } from "../../model/charge/chargeErrors.ts"
import type { ChargeId } from "../../model/charge/ChargeId.ts"
import { cycleSchedule, hasCycle, mayHaveCharge } from "../../model/cycle/cycles.ts"
import { CancelTooLate, freesCycle, isCancellable, underWay } from "../../model/cycle/Debit.ts"
import type { CycleRange } from "../../model/cycle/CycleRange.ts"
import { findRetryDay, findRetryObstacle, type RetryObstacle } from "../../model/cycle/retries.ts"
import type { RecurrenceId } from "../../model/cycle/RecurrenceId.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { byCommand, skipCycles } from "../../model/recurrence/decideRecurrence.ts"
import { type CycleRequest, openCycle } from "../../model/recurrence/CycleCharge.ts"
import type { Recurrence } from "../../model/recurrence/Recurrence.ts"
import {
  type AboutRecurrence,
  AmountIsFixed,
  CycleNotOpen,
  RecurrenceNotApproved,
  RetryNotPossible,
} from "../../model/recurrence/recurrenceErrors.ts"
import { ifNamed } from "../../ports/AuditLog.ts"
import type { ProcessorRejected } from "../../ports/portErrors.ts"
import { maxRounds } from "../charges/moveUntilCommitted.ts"
import { recoverCycle, registerCharge, storeCycleCharge } from "./cycleCharges.ts"
import { answerMs, findHolidays, loadRecurrence, moveRecurrence } from "./moveRecurrence.ts"
import { RecurrencePorts } from "./RecurrencePorts.ts"

export const requestCharge = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId, request: CycleRequest) {
  let made: Effect.Success<ReturnType<typeof storeCharge>>
  for (let round = 0; made === undefined && round < maxRounds; round++) made = yield* storeCharge(issuer, id, request)
  if (made === undefined) return yield* new CycleNotOpen({ issuer, id, cycle: request.cycle })
  const { charge } = made
  // The next check registers the stored charge.
  return yield* Effect.catchTag(registerCharge(charge, false), "ProcessorUnavailable", () => Effect.succeed(charge))
})

const storeCharge = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId, request: CycleRequest) {
  const { recurrences } = yield* RecurrencePorts
  const { cycle, amountCents } = request
  const known = yield* loadRecurrence(issuer, id)
  if (known._tag !== "Approved") return yield* new RecurrenceNotApproved({ issuer, id, state: known._tag })
  const { amountCents: fixedCents = amountCents } = known
  if (amountCents !== fixedCents) return yield* new AmountIsFixed({ issuer, id, amountCents: fixedCents })
  const holidays = yield* findHolidays(issuer)
  const schedule = yield* Effect.fromResult(openCycle(known, request, holidays, yield* Clock.currentTimeMillis))
  const last = yield* recurrences.lastCharge(issuer, id, cycle)
  if (last !== undefined && !freesCycle(last)) return yield* new CycleNotOpen({ issuer, id, cycle })
  const audit = yield* ifNamed({ kind: "cycleCharged", recurrenceId: id, cycle, amountCents } as const)
  return yield* storeCycleCharge(known, schedule, { amountCents, generation: (last?.cycle.generation ?? 0) + 1 }, audit)
})

export const requestSkip = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId, cycles: CycleRange) {
  const recurrence = yield* loadSkippable(issuer, id, cycles)
  const charged = yield* findChargeable(recurrence, cycles)
  for (const cycle of charged) yield* recoverCycle(recurrence, cycle)
  const findOpen = (cycle: number) => findCancellable({ issuer, id }, cycle, cycle === cycles[1])
  // Fails before anything is stored.
  yield* Effect.forEach(charged, findOpen)
  const audit = yield* ifNamed({ kind: "cyclesSkipped", recurrenceId: id, cycles } as const)
  const after = yield* moveRecurrence(recurrence, skipCycles(cycles), { audit })
  for (const cycle of charged) {
    // Also charges made meanwhile, and later ones that only the bank has.
    for (let charge = yield* findOpen(cycle); charge !== undefined; charge = yield* findOpen(cycle)) {
      if (!(yield* cancelOrKeep(charge))) break
      yield* recoverCycle(after, cycle)
    }
  }
  return yield* loadRecurrence(issuer, id)
})

/** False if the bank keeps a charge without an attempt under way: API Pix forbids a cancellation after the first attempt. */
const cancelOrKeep = Effect.fnUntraced(function* (charge: Charge) {
  const { charges, chargeMoves } = yield* RecurrencePorts
  const keep = Effect.fnUntraced(function* (refusal: ProcessorRejected) {
    const kept = yield* chargeMoves.load(charge)
    return underWay(kept, yield* Clock.currentTimeMillis).length === 0 ? false : yield* refusal
  })
  return yield* Effect.catchTag(Effect.as(charges.cancel(charge.issuer, charge.id), true), "ProcessorRejected", keep)
})

/** Recovers an approval that restored books lack. Fails once the recurrence is over. */
const loadSkippable = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId, [from, to]: CycleRange) {
  const { bank } = yield* RecurrencePorts
  const known = yield* loadRecurrence(issuer, id)
  const missing = [from, to].find((cycle) => !hasCycle(known, cycle))
  if (missing !== undefined) return yield* new CycleNotOpen({ issuer, id, cycle: missing })
  const isUnanswered = known._tag === "Requested" || known._tag === "Offered"
  const view = isUnanswered && (yield* hasOpened(known, from)) ? yield* bank.lookup(known) : undefined
  const recurrence = view === undefined ? known : yield* moveRecurrence(known, byCommand({ _tag: "RecordView", view }))
  const { _tag: state } = recurrence
  if (state === "Ended" || state === "Ending") return yield* new RecurrenceNotApproved({ issuer, id, state })
  return recurrence
})

const hasOpened = Effect.fnUntraced(function* (recurrence: Recurrence, cycle: number) {
  const schedule = cycleSchedule(recurrence, cycle, yield* findHolidays(recurrence.issuer))
  return mayHaveCharge(schedule, yield* Clock.currentTimeMillis)
})

/** The limit of decided cycles with an unfinished debit: windows and retries of weekly cycles overlap. */
const maxUnfinished = 3

/** The range's cycles that can have an unfinished charge, and its last cycle once that has opened. */
const findChargeable = Effect.fnUntraced(function* (recurrence: Recurrence, [from, to]: CycleRange) {
  const cycles: Array<number> = []
  let cycle = Math.max(from, Math.min(to, recurrence.nextCycle - maxUnfinished))
  while (cycle <= to && (yield* hasOpened(recurrence, cycle))) cycles.push(cycle++)
  return cycles
})

/** The charge to cancel. A paid cycle stays; the last one then fails. */
const findCancellable = Effect.fnUntraced(function* ({ issuer, id }: AboutRecurrence, cycle: number, isLast: boolean) {
  const { recurrences } = yield* RecurrencePorts
  const charge = yield* recurrences.lastCharge(issuer, id, cycle)
  if (charge === undefined || charge._tag === "Cancelled" || isFailed(charge)) return undefined
  if (charge._tag !== "Pending") return isLast ? yield* new ChargeAlreadyPaid({ issuer, id: charge.id }) : undefined
  const isInTime = isCancellable(charge, yield* Clock.currentTimeMillis)
  return isInTime ? charge : yield* new CancelTooLate({ issuer, chargeId: charge.id, cycle })
})

/** Stores the day before the call to the bank, so two callers can't request two days. */
export const requestRetry = Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId, wanted?: LocalDate) {
  const { recurrences, bank, chargeMoves } = yield* RecurrencePorts
  const charge = yield* chargeMoves.load({ issuer, id })
  const refuse = (obstacle: RetryObstacle) => new RetryNotPossible({ issuer, chargeId: id, obstacle })
  const { cycle, debit } = charge
  if (charge._tag !== "Pending" || cycle === undefined || debit === undefined) return yield* refuse(noDebit(charge))
  // An ended recurrence must not debit more money.
  const { _tag: state, id: recurrenceId } = yield* loadRecurrence(issuer, cycle.recurrenceId)
  if (state !== "Approved") return yield* new RecurrenceNotApproved({ issuer, id: recurrenceId, state })
  const now = yield* Clock.currentTimeMillis
  const obstacle = findRetryObstacle(cycle, debit, now, wanted)
  const on = wanted ?? findRetryDay(cycle, debit, now)
  if (obstacle !== undefined || on === undefined) return yield* refuse(obstacle ?? "tooLate")
  yield* recurrences.schedule(issuer, recurrenceId, now + answerMs)
  const audit = yield* ifNamed({ kind: "retryRequested", chargeId: id, on } as const)
  const { state: after, isOurs } = yield* chargeMoves.move(charge, { _tag: "RequestRetry", on }, audit)
  if (!isOurs || !isCycleCharge(after)) return yield* refuse("underWay")
  // It neither counts as one of three nor takes its day.
  yield* Effect.tapErrorTag(bank.retry(after, on), "ProcessorRejected", () =>
    chargeMoves.apply(after, { _tag: "RecordRetryRefusal", on }),
  )
  return after
})

const noDebit = ({ _tag, cycle }: Charge): RetryObstacle =>
  cycle === undefined ? "notDebited" : _tag === "Cancelled" ? "cancelled" : "paid"
