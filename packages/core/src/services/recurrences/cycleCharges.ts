import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Charge, CycleCharge, PendingCharge } from "../../model/charge/Charge.ts"
import type { CycleSchedule } from "../../model/cycle/cycles.ts"
import { type DebitView, isCancellable } from "../../model/cycle/Debit.ts"
import type { Cents } from "../../model/money/Money.ts"
import { newCycleCharge } from "../../model/recurrence/CycleCharge.ts"
import type { AuthorisedRecurrence, Recurrence } from "../../model/recurrence/Recurrence.ts"
import type { AuditChange } from "../../ports/AuditLog.ts"
import type { CycleView } from "../../ports/RecurrenceProcessor.ts"
import { logFailure } from "../../runtime/telemetry.ts"
import { isKeyOfAnother } from "../charges/Receivers.ts"
import { answerMs, commitRecurrence } from "./moveRecurrence.ts"
import { RecurrencePorts } from "./RecurrencePorts.ts"

export type PendingCycleCharge = CycleCharge<PendingCharge>

/** Stores the charge of a cycle with its recurrence's next cycle. Undefined if another writer was faster. */
export const storeCycleCharge = Effect.fnUntraced(function* <Known extends AuthorisedRecurrence>(
  recurrence: Known,
  schedule: CycleSchedule,
  given: { readonly amountCents: Cents; readonly generation: number },
  audit?: AuditChange,
) {
  const { transactionIds } = yield* RecurrencePorts
  const now = yield* Clock.currentTimeMillis
  const charge = newCycleCharge(recurrence, schedule, { ...given, transactionId: transactionIds.next() }, now)
  // A cycle before it stays to be decided: windows of weekly cycles overlap.
  const nextCycle = recurrence.nextCycle === schedule.cycle ? schedule.cycle + 1 : recurrence.nextCycle
  const next: Known = { ...recurrence, version: recurrence.version + 1, updatedAt: now, nextCycle }
  const isStored = yield* commitRecurrence(recurrence, { next, charge }, { audit, checkAt: now + answerMs })
  return isStored ? { next, charge } : undefined
})

/**
 * What the bank has of a charge; undefined if it has none. One under another company's key is adopted only if the bank had confirmed
 * the order.
 */
export const findShown = Effect.fnUntraced(function* (charge: PendingCycleCharge) {
  const { bank, directory } = yield* RecurrencePorts
  const view = yield* bank.lookupCharge(charge)
  if (view.debit.status === "absent") return undefined
  const isConfirmed = charge.debit?.status !== "requested"
  return isConfirmed || !(yield* isKeyOfAnother(directory, charge.issuer, view.pixKey)) ? view : undefined
})

/** Records what the bank has of a charge. Money first: it settles the charge in every state of its debit. */
export const recordShown = Effect.fnUntraced(function* (charge: PendingCharge, view: CycleView) {
  const { books } = yield* RecurrencePorts
  const after = yield* books.applyView(charge, view)
  return after._tag === "Pending" ? yield* recordDebit(after, view.debit) : after
})

/** Records what the bank says of the debit of an unpaid charge. */
export const recordDebit = Effect.fnUntraced(function* (charge: PendingCharge, view: DebitView) {
  const { chargeMoves } = yield* RecurrencePorts
  return yield* chargeMoves.apply(charge, { _tag: "RecordDebit", view })
})

/** Whether the host skips the cycle of a charge. */
export const isSkipped = ({ skipped = [] }: Recurrence, { cycle }: Charge): boolean =>
  cycle !== undefined && skipped.includes(cycle.cycle)

/** Cancels the unpaid charge of a skipped cycle, while the bank can. Undefined if it stays: then it is followed. */
export const cancelSkipped = Effect.fnUntraced(function* (recurrence: Recurrence, charge: Charge) {
  const { charges } = yield* RecurrencePorts
  const { issuer, id, _tag: state } = charge
  const isLeft = state === "Pending" && isSkipped(recurrence, charge)
  if (!isLeft || !isCancellable(charge, yield* Clock.currentTimeMillis)) return undefined
  return yield* Effect.catchTag(
    charges.cancel(issuer, id),
    ["ProcessorRejected", "ChargeAlreadyPaid", "CancelTooLate"],
    (cause) => Effect.as(logFailure("Warn", `The bank keeps the charge ${id} of a skipped cycle`, cause), undefined),
  )
})
