import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChargePorts } from "../charges/ChargePorts.ts"
import type { PixCharges } from "../charges/PixCharges.ts"
import { isFailed } from "../../model/charge/Charge.ts"
import { ChargeAlreadyPaid } from "../../model/charge/chargeErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { ifNamed } from "../../ports/AuditLog.ts"
import type { RecurrenceProcessor } from "../../ports/RecurrenceProcessor.ts"
import type { RecurrenceId } from "../../model/cycle/RecurrenceId.ts"
import { cycleSchedule, hasCycle, mayHaveCharge } from "../../model/cycle/cycles.ts"
import { CancelTooLate, isCancellable } from "../../model/cycle/Debit.ts"
import type { Recurrence } from "../../model/recurrence/Recurrence.ts"
import { CycleNotOpen, RecurrenceNotApproved } from "../../model/recurrence/recurrenceErrors.ts"
import type { ChargeCycles } from "./chargeCycles.ts"
import type { RecurrenceMove, RecurrenceMoves } from "./RecurrenceMoves.ts"

/**
 * Leaving a cycle out: first the bank is asked for charges of it that restored books have forgotten, then none can be made any more,
 * and then the one that it has is cancelled.
 */
export const makeSkipCycle = (
  { recurrences }: ChargePorts,
  moves: RecurrenceMoves,
  processor: RecurrenceProcessor["Service"],
  charges: PixCharges["Service"],
  cycles: ChargeCycles,
) => {
  /** The cycle's charge that is to be cancelled; fails where the payer has paid it, or is about to be debited. */
  const findCharge = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId, cycle: number) {
    const charge = yield* recurrences.lastCharge(issuer, id, cycle)
    if (charge === undefined || charge._tag === "Cancelled" || isFailed(charge)) return undefined
    if (charge._tag !== "Pending") return yield* new ChargeAlreadyPaid({ issuer, id: charge.id })
    const isInTime = isCancellable(charge, yield* Clock.currentTimeMillis)
    return isInTime ? charge : yield* new CancelTooLate({ issuer, chargeId: charge.id })
  })

  /** One that goes on. Books may have forgotten its approval, too. */
  const loadOpen = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId, cycle: number) {
    const known = yield* moves.load(issuer, id)
    if (!hasCycle(known, cycle)) return yield* new CycleNotOpen({ issuer, id, cycle })
    const schedule = cycleSchedule(known, cycle, yield* moves.holidaysFor(issuer))
    const hasOpened = mayHaveCharge(schedule, yield* Clock.currentTimeMillis)
    const isUnanswered = known._tag === "Requested" || known._tag === "Offered"
    const view = hasOpened && isUnanswered ? yield* processor.lookup(known) : undefined
    const recurrence = view === undefined ? known : yield* moves.apply(known, { _tag: "RecordView", view })
    const { _tag: state } = recurrence
    if (state === "Ended" || state === "Ending") return yield* new RecurrenceNotApproved({ issuer, id, state })
    return (hasOpened ? yield* cycles.recover(recurrence, cycle) : undefined) ?? recurrence
  })

  return Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId, cycle: number) {
    const recurrence = yield* loadOpen(issuer, id, cycle)
    yield* findCharge(issuer, id, cycle)
    const audit = yield* ifNamed({ kind: "cycleSkipped", recurrenceId: id, cycle } as const)
    const skip = (known: Recurrence, now: number): RecurrenceMove =>
      known._tag === "Ended" || known.skipped?.includes(cycle) === true
        ? {}
        : { next: { ...known, version: known.version + 1, updatedAt: now, skipped: [...(known.skipped ?? []), cycle] } }
    const after = yield* moves.moveBy(recurrence, skip, { audit })
    // One that was made meanwhile is found, too, and one that the bank got after the charge which these books know.
    for (;;) {
      const charge = yield* findCharge(issuer, id, cycle)
      if (charge === undefined) return after
      yield* charges.cancel(issuer, charge.id)
      yield* cycles.recover(after, cycle)
    }
  })
}
