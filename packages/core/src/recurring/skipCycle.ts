import * as Effect from "effect/Effect"
import type { ChargePorts } from "../charges/ChargePorts.ts"
import type { PixCharges } from "../charges/PixCharges.ts"
import { isFailed } from "../charges/rules/Charge.ts"
import { ChargeAlreadyPaid } from "../charges/rules/chargeErrors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { RecurrenceMoves } from "./RecurrenceMoves.ts"
import { hasCycle } from "../recurrence/cycles/cycles.ts"
import { CycleNotOpen, RecurrenceNotApproved } from "../recurrence/rules/recurrenceErrors.ts"
import type { RecurrenceId } from "../recurrence/cycles/RecurrenceId.ts"

/** Leaving a cycle out: first no charge of it can be made any more, and then the one that it has is cancelled. */
export const makeSkipCycle = ({ recurrences }: ChargePorts, moves: RecurrenceMoves, charges: PixCharges["Service"]) =>
  Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId, cycle: number) {
    const recurrence = yield* moves.load(issuer, id)
    const { _tag: state } = recurrence
    if (state === "Ended" || state === "Ending") return yield* new RecurrenceNotApproved({ issuer, id, state })
    if (!hasCycle(recurrence, cycle)) return yield* new CycleNotOpen({ issuer, id, cycle })
    const audit = { kind: "cycleSkipped", recurrenceId: id, cycle } as const
    const skip = moves.moveBy(
      recurrence,
      (known, now) => {
        if (known.skipped?.includes(cycle) === true) return {}
        const skipped = [...(known.skipped?.filter((one) => one >= known.nextCycle - 1) ?? []), cycle]
        return { next: { ...known, version: known.version + 1, updatedAt: now, skipped } }
      },
      { audit },
    )
    const after = yield* skip
    const last = yield* recurrences.lastCharge(issuer, id, cycle)
    if (last?._tag === "Pending" && !isFailed(last)) yield* charges.cancel(issuer, last.id)
    else if (last !== undefined && "payment" in last) return yield* new ChargeAlreadyPaid({ issuer, id: last.id })
    return after
  })
