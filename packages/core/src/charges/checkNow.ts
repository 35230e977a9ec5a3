import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChargeMoves } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import type { Charge } from "./rules/Charge.ts"

/** Schedules checks of unpaid charges, by default for now. Returns whether all of them will be checked. */
export const makeCheckNow = ({ checks, recurrences }: ChargePorts, moves: ChargeMoves) =>
  Effect.fnUntraced(function* (charges: ReadonlyArray<Charge>, checkAt?: number) {
    if (!charges.every(({ _tag }) => _tag === "Pending")) return false
    const at = checkAt ?? (yield* Clock.currentTimeMillis)
    const distinct = [...new Map(charges.map((charge) => [charge.id, charge])).values()]
    const together = { concurrency: "unbounded" } as const
    const schedule = (charge: Charge) =>
      charge.cycle === undefined
        ? checks.scheduleCharge(charge, at)
        : recurrences.schedule(charge.issuer, charge.cycle.recurrenceId, at)
    yield* Effect.forEach(distinct, schedule, together)
    // What has moved meanwhile was not scheduled.
    const after = yield* Effect.forEach(distinct, moves.load, together)
    return after.every(({ version }, index) => version === distinct[index]?.version)
  })
