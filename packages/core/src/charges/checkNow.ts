import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChargeMoves } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import type { Charge } from "./rules/Charge.ts"

/** Schedules checks of unpaid charges for now. Returns whether all of them will be checked. */
export const makeCheckNow = ({ checks, recurrences }: ChargePorts, moves: ChargeMoves) =>
  Effect.fnUntraced(function* (charges: ReadonlyArray<Charge>) {
    if (!charges.every(({ _tag }) => _tag === "Pending")) return false
    const now = yield* Clock.currentTimeMillis
    const distinct = [...new Map(charges.map((charge) => [charge.id, charge])).values()]
    const together = { concurrency: "unbounded" } as const
    const schedule = (charge: Charge) =>
      charge.cycle === undefined
        ? checks.scheduleCharge(charge, now)
        : recurrences.schedule(charge.issuer, charge.cycle.recurrenceId, now)
    yield* Effect.forEach(distinct, schedule, together)
    // What has moved meanwhile was not scheduled.
    const after = yield* Effect.forEach(distinct, moves.load, together)
    return after.every(({ version }, at) => version === distinct[at]?.version)
  })
