import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Bookkeeping } from "../charges/Bookkeeping.ts"
import type { ChargeMoves } from "../charges/ChargeMoves.ts"
import type { ChargePorts } from "../charges/ChargePorts.ts"
import type { PixCharges } from "../charges/PixCharges.ts"
import { isKeyOfAnother } from "../charges/Receivers.ts"
import { maxRounds } from "../charges/moveUntilCommitted.ts"
import {
  type Charge,
  type CycleCharge,
  isCycleCharge,
  isFailed,
  type PendingCharge,
} from "../../model/charge/Charge.ts"
import type { Holidays } from "../../model/calendar/Holidays.ts"
import type { LocalDate } from "../../model/calendar/LocalDate.ts"
import type { Cents } from "../../model/money/Money.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { type AuditChange, ifNamed } from "../../ports/AuditLog.ts"
import type { CycleView, RecurrenceProcessor } from "../../ports/RecurrenceProcessor.ts"
import { StoreUnavailable } from "../../ports/portErrors.ts"
import { logFailure } from "../../runtime/telemetry.ts"
import type { OfferRecurrence } from "./offerRecurrence.ts"
import type { RecurrenceMoves } from "./RecurrenceMoves.ts"
import {
  askableUntil,
  cycleEnd,
  type CycleSchedule,
  cycleSchedule,
  cycleStart,
  hasCycle,
} from "../../model/cycle/cycles.ts"
import { type DebitView, freesCycle, isCancellable, unseenMs } from "../../model/cycle/Debit.ts"
import { newCycleCharge } from "../../model/recurrence/CycleCharge.ts"
import type { ApprovedRecurrence, AuthorisedRecurrence, Recurrence } from "../../model/recurrence/Recurrence.ts"
import { chargeableUntil } from "../../model/recurrence/recurrenceChecks.ts"
import { AmountIsFixed, CycleNotOpen, RecurrenceNotApproved } from "../../model/recurrence/recurrenceErrors.ts"
import type { RecurrenceId } from "../../model/cycle/RecurrenceId.ts"

/** If this process dies before the bank answers, another one asks it after this long. */
const chargeCheckMs = 60_000

/** How many orders of a cycle may have left no charge at the bank, one after another: refused there, or cancelled on their way. */
const maxLeftNothing = 3

/** Stands for an amount that neither the recurrence nor the bank says. */
const minCents = 1 as Cents

/** The bank has it, and no attempt yet. */
const registered: DebitView = { status: "active", attempts: [] }

/** The bank has none of it, and gets none. */
const refused: DebitView = { status: "rejected", attempts: [] }

type PendingCycleCharge = CycleCharge<PendingCharge>

/** Whether its cycles may have charges at the bank: also those of one that has ended. */
const isAuthorised = (recurrence: Recurrence): recurrence is AuthorisedRecurrence =>
  recurrence._tag === "Approved" || (recurrence._tag === "Ended" && recurrence.bankId !== undefined)

/** Whether the host leaves the cycle of a charge out that may still be debited. */
const isLeftOut = ({ skipped = [] }: Recurrence, charge: Charge): charge is PendingCycleCharge =>
  charge._tag === "Pending" && isCycleCharge(charge) && skipped.includes(charge.cycle.cycle)

/** What a host says of one cycle. */
export interface CycleRequest {
  /** Counted from 1. */
  readonly cycle: number
  readonly amountCents: Cents
  /** A day of the cycle; by default its first. */
  readonly dueDate?: LocalDate
}

/** Making the charges of cycles, and following their debits. */
export const makeChargeCycles = (
  { recurrences, transactionIds, directory }: ChargePorts,
  chargeMoves: ChargeMoves,
  moves: RecurrenceMoves,
  processor: RecurrenceProcessor["Service"],
  charges: PixCharges["Service"],
  books: Bookkeeping["Service"],
  { findCompany }: OfferRecurrence,
) => {
  const record = (charge: PendingCharge, view: DebitView) => chargeMoves.apply(charge, { _tag: "RecordDebit", view })

  /** Whether the bank may have a charge that it doesn't show: an order without an answer was under way a short while ago. */
  const mayHave = ({ createdAt }: PendingCharge) =>
    Effect.map(Clock.currentTimeMillis, (now) => now < createdAt + unseenMs)

  /** What the bank has of a charge. Of another company's key none is adopted for an order that the bank hasn't confirmed. */
  const findShown = Effect.fnUntraced(function* (charge: PendingCycleCharge) {
    const view = yield* processor.lookupCharge(charge)
    if (view.debit.status === "absent") return undefined
    const isConfirmed = charge.debit?.status !== "requested"
    return isConfirmed || !(yield* isKeyOfAnother(directory, charge.issuer, view.pixKey)) ? view : undefined
  })

  /** Money first: it settles the charge in every state of its debit. */
  const apply = Effect.fnUntraced(function* (charge: PendingCharge, view: CycleView) {
    const after = yield* books.applyView(charge, view)
    return after._tag === "Pending" ? yield* record(after, view.debit) : after
  })

  /** Takes the charge of a cycle back that its host leaves out, as long as the bank can; what the bank keeps is followed. */
  const takeBack = Effect.fnUntraced(function* (charge: PendingCycleCharge) {
    if (!isCancellable(charge, yield* Clock.currentTimeMillis)) return undefined
    return yield* Effect.catchTag(
      charges.cancel(charge.issuer, charge.id),
      ["ProcessorRejected", "ChargeAlreadyPaid", "CancelTooLate"],
      (cause) =>
        Effect.as(logFailure("Warn", `The bank keeps the charge ${charge.id} of a skipped cycle`, cause), undefined),
    )
  })

  /** Records what went back of a charge that is paid; whether that moved it. */
  const followPaid = Effect.fnUntraced(function* (charge: CycleCharge) {
    const after = yield* books.applyView(charge, yield* processor.lookupCharge(charge))
    return after.version !== charge.version
  })

  /** A retry that was stored, and of which the bank shows nothing, is asked for again while it can be. */
  const askAgain = Effect.fnUntraced(function* (recurrence: Recurrence, charge: Charge) {
    if (recurrence._tag !== "Approved" || charge._tag !== "Pending" || isFailed(charge)) return charge
    if (!isCycleCharge(charge)) return charge
    const on = charge.debit?.retries.at(-1)
    const isShown = charge.debit?.attempts.some((attempt) => attempt.on === on) === true
    if (on === undefined || isShown || (yield* Clock.currentTimeMillis) >= askableUntil(on)) return charge
    return yield* processor.retry(charge, on).pipe(
      Effect.as(charge),
      Effect.catchTag("ProcessorRejected", (cause) =>
        Effect.andThen(
          logFailure("Warn", `The bank refused a new attempt of the charge ${charge.id}`, cause),
          chargeMoves.apply(charge, { _tag: "RecordRetryRefusal", on }),
        ),
      ),
    )
  })

  /** Stores the charge of a cycle with the recurrence's next cycle, and tells the bank. Undefined where another was faster. */
  const make = Effect.fnUntraced(function* <Known extends AuthorisedRecurrence>(
    recurrence: Known,
    schedule: CycleSchedule,
    given: { readonly amountCents: Cents; readonly generation: number },
    audit?: AuditChange,
  ) {
    const now = yield* Clock.currentTimeMillis
    const charge = newCycleCharge(recurrence, schedule, { ...given, transactionId: transactionIds.next() }, now)
    // A cycle before it stays to be decided: windows of weekly cycles overlap.
    const nextCycle = recurrence.nextCycle === schedule.cycle ? schedule.cycle + 1 : recurrence.nextCycle
    const next: Known = { ...recurrence, version: recurrence.version + 1, updatedAt: now, nextCycle }
    const isStored = yield* moves.commit(recurrence, { next, charge }, { audit, checkAt: now + chargeCheckMs })
    return isStored ? { next, charge } : undefined
  })

  /** What the bank has by the txid of a cycle's charge, which follows from the cycle. Undefined where it has none. */
  const findForgotten = Effect.fnUntraced(function* (
    recurrence: AuthorisedRecurrence,
    cycle: number,
    generation: number,
  ) {
    const holidays = yield* moves.holidaysFor(recurrence.issuer)
    const usual = cycleSchedule(recurrence, cycle, holidays)
    if (usual === undefined) return undefined
    const given = { amountCents: recurrence.amountCents ?? minCents, generation, transactionId: transactionIds.next() }
    const wanted = newCycleCharge(recurrence, usual, given, yield* Clock.currentTimeMillis)
    const view = yield* findShown(wanted)
    if (view === undefined) return undefined
    const { amountCents, dueDate } = view.terms ?? wanted
    return { view, amountCents, schedule: cycleSchedule(recurrence, cycle, holidays, dueDate) ?? usual }
  })

  /** The first charge of a cycle from this generation on that the bank has; undefined where it has none. */
  const findNext = Effect.fnUntraced(function* (recurrence: AuthorisedRecurrence, cycle: number, from: number) {
    for (let generation = from; generation <= from + maxLeftNothing; generation++) {
      const found = yield* findForgotten(recurrence, cycle, generation)
      if (found !== undefined) return { ...found, generation }
    }
    return undefined
  })

  /**
   * Stores a cycle's charges that the bank has, and of which books that were restored from a backup know nothing: all that came
   * after the last one they know, where that freed the cycle. The recurrence as it is then; undefined where the bank has none.
   */
  const recover = Effect.fnUntraced(function* ({ issuer, id }: Recurrence, cycle: number) {
    let recovered: AuthorisedRecurrence | undefined
    for (let round = 0; round < maxRounds; round++) {
      const known = yield* moves.load(issuer, id)
      const last = yield* recurrences.lastCharge(issuer, id, cycle)
      if (!isAuthorised(known) || (last !== undefined && !freesCycle(last))) return recovered
      const found = yield* findNext(known, cycle, (last?.cycle.generation ?? 0) + 1)
      if (found === undefined) return recovered
      const made = yield* make(known, found.schedule, found)
      if (made === undefined) continue
      recovered = made.next
      const after = yield* apply(made.charge, found.view)
      if (isLeftOut(recovered, after)) yield* takeBack(after)
    }
    return yield* new StoreUnavailable({ operation: "commit", cause: "the cycle's charges kept changing" })
  })

  /**
   * A cycle's order is refused, too, where the bank has a later charge of it, which restored books have forgotten: that one takes the
   * place of this one, which has not failed. Undefined where there is none.
   */
  const replace = Effect.fnUntraced(function* (charge: PendingCycleCharge) {
    const { issuer, cycle } = charge
    const recurrence = yield* moves.load(issuer, cycle.recurrenceId)
    const isLater =
      isAuthorised(recurrence) && (yield* findNext(recurrence, cycle.cycle, cycle.generation + 1)) !== undefined
    if (!isLater) return undefined
    yield* chargeMoves.apply(charge, { _tag: "Cancel" })
    yield* recover(recurrence, cycle.cycle)
    return yield* recurrences.lastCharge(issuer, cycle.recurrenceId, cycle.cycle)
  })

  /** Tells the bank of a charge that is stored. What it refuses for good has failed, unless it has the charge all the same. */
  const register = Effect.fnUntraced(function* (charge: PendingCycleCharge, isRepeated: boolean) {
    const company = yield* findCompany(charge.issuer)
    const isRefused = yield* processor.charge({ company, charge }).pipe(
      Effect.as(false),
      Effect.catchTag("ProcessorRejected", (cause) =>
        Effect.as(logFailure("Error", `The bank refused the charge ${charge.id} of a cycle`, cause), true),
      ),
    )
    if (!isRefused) return yield* record(charge, registered)
    const view = yield* findShown(charge)
    // The txid follows from the cycle: what the bank has by it is this cycle's, of another amount where restored books have
    // forgotten what their host had said. Its money is followed all the same.
    if (view !== undefined) return yield* apply(charge, view)
    return (
      (yield* replace(charge)) ?? (isRepeated && (yield* mayHave(charge)) ? charge : yield* record(charge, refused))
    )
  })

  /** Asks the bank what became of a charge; one of which it was never told is made known while its window is open. */
  const follow = Effect.fnUntraced(function* (recurrence: Recurrence, charge: PendingCycleCharge, holidays: Holidays) {
    const isSkipped = isLeftOut(recurrence, charge)
    const cancelled = isSkipped ? yield* takeBack(charge) : undefined
    if (cancelled !== undefined) return cancelled
    const view = yield* findShown(charge)
    if (view !== undefined) return yield* askAgain(recurrence, yield* apply(charge, view))
    // What the bank has confirmed it may show a while later: to give it up would miss its payment.
    if (charge.debit?.status !== "requested") return charge
    const isOpen = (yield* Clock.currentTimeMillis) < chargeableUntil(recurrence, charge, holidays)
    if (isOpen && !isSkipped && recurrence._tag === "Approved") return yield* register(charge, true)
    return (yield* mayHave(charge)) ? charge : yield* record(charge, refused)
  })

  /** What the host may charge a cycle by now: its schedule, and which charge of the cycle this is. */
  const open = Effect.fnUntraced(function* (recurrence: ApprovedRecurrence, { cycle, dueDate }: CycleRequest) {
    const { issuer, id } = recurrence
    const isInside =
      hasCycle(recurrence, cycle) &&
      (dueDate === undefined || (dueDate >= cycleStart(recurrence, cycle) && dueDate <= cycleEnd(recurrence, cycle)))
    const holidays = yield* moves.holidaysFor(issuer)
    const schedule = isInside ? cycleSchedule(recurrence, cycle, holidays, dueDate) : undefined
    const now = yield* Clock.currentTimeMillis
    if (schedule === undefined || now >= schedule.closesAt) return yield* new CycleNotOpen({ issuer, id, cycle })
    if (now < schedule.opensAt) return yield* new CycleNotOpen({ issuer, id, cycle, opensAt: schedule.opensAt })
    const last = yield* recurrences.lastCharge(issuer, id, cycle)
    const isFree = last === undefined || freesCycle(last)
    if (!isFree || recurrence.skipped?.includes(cycle) === true) return yield* new CycleNotOpen({ issuer, id, cycle })
    return { schedule, generation: (last?.cycle.generation ?? 0) + 1 }
  })

  /** Stores the charge of one cycle by the host's own decision. Undefined where another writer was faster. */
  const decide = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId, request: CycleRequest) {
    const recurrence = yield* moves.load(issuer, id)
    if (recurrence._tag !== "Approved") return yield* new RecurrenceNotApproved({ issuer, id, state: recurrence._tag })
    const { cycle, amountCents } = request
    if (recurrence.amountCents !== undefined && amountCents !== recurrence.amountCents) {
      return yield* new AmountIsFixed({ issuer, id, amountCents: recurrence.amountCents })
    }
    const { schedule, generation } = yield* open(recurrence, request)
    const audit = yield* ifNamed({ kind: "cycleCharged", recurrenceId: id, cycle, amountCents } as const)
    return yield* make(recurrence, schedule, { amountCents, generation }, audit)
  })

  /** Charges one cycle of a recurrence by the host's own decision, and tells the bank. */
  const charge = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId, request: CycleRequest) {
    let made: Effect.Success<ReturnType<typeof decide>>
    for (let round = 0; made === undefined && round < maxRounds; round++) made = yield* decide(issuer, id, request)
    if (made === undefined) return yield* new CycleNotOpen({ issuer, id, cycle: request.cycle })
    const stored = made.charge
    // Without an answer it is stored all the same, and made known by its check.
    return yield* Effect.catchTag(register(stored, false), "ProcessorUnavailable", () => Effect.succeed(stored))
  })

  return { charge, make, recover, register, follow, followPaid }
}

/** Charging their cycles. */
export type ChargeCycles = ReturnType<typeof makeChargeCycles>
