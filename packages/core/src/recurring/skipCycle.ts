import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChargePorts } from "../charges/ChargePorts.ts"
import type { PixCharges } from "../charges/PixCharges.ts"
import { isFailed } from "../charges/rules/Charge.ts"
import { ChargeAlreadyPaid } from "../charges/rules/chargeErrors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import { ifNamed } from "../ports/Actor.ts"
import { CancelTooLate } from "../recurrence/cycles/CancelTooLate.ts"
import { hasCycle } from "../recurrence/cycles/cycles.ts"
import { isCancellable } from "../recurrence/cycles/isCancellable.ts"
import type { RecurrenceId } from "../recurrence/cycles/RecurrenceId.ts"
import type { Recurrence } from "../recurrence/rules/Recurrence.ts"
import { CycleNotOpen, RecurrenceNotApproved } from "../recurrence/rules/recurrenceErrors.ts"
import type { RecurrenceMove, RecurrenceMoves } from "./RecurrenceMoves.ts"

/** Leaving a cycle out: first no charge of it can be made any more, and then the one that it has is cancelled. */
export const makeSkipCycle = ({ recurrences }: ChargePorts, moves: RecurrenceMoves, charges: PixCharges["Service"]) => {
  /** The cycle's charge that is to be cancelled; fails where the payer has paid it, or is about to be debited. */
  const findCharge = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId, cycle: number) {
    const charge = yield* recurrences.lastCharge(issuer, id, cycle)
    if (charge === undefined || charge._tag === "Cancelled" || isFailed(charge)) return undefined
    if (charge._tag !== "Pending") return yield* new ChargeAlreadyPaid({ issuer, id: charge.id })
    const isInTime = isCancellable(charge, yield* Clock.currentTimeMillis)
    return isInTime ? charge : yield* new CancelTooLate({ issuer, chargeId: charge.id })
  })

  return Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId, cycle: number) {
    const recurrence = yield* moves.load(issuer, id)
    const { _tag: state } = recurrence
    if (state === "Ended" || state === "Ending") return yield* new RecurrenceNotApproved({ issuer, id, state })
    if (!hasCycle(recurrence, cycle)) return yield* new CycleNotOpen({ issuer, id, cycle })
    yield* findCharge(issuer, id, cycle)
    const audit = yield* ifNamed({ kind: "cycleSkipped", recurrenceId: id, cycle } as const)
    const skip = (known: Recurrence, now: number): RecurrenceMove =>
      known._tag === "Ended" || known.skipped?.includes(cycle) === true
        ? {}
        : { next: { ...known, version: known.version + 1, updatedAt: now, skipped: [...(known.skipped ?? []), cycle] } }
    const after = yield* moves.moveBy(recurrence, skip, { audit })
    // One that was made meanwhile is found, too.
    const charge = yield* findCharge(issuer, id, cycle)
    if (charge !== undefined) yield* charges.cancel(issuer, charge.id)
    return after
  })
}
