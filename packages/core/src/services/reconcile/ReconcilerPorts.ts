import * as Effect from "effect/Effect"
import { Bookkeeping } from "../charges/Bookkeeping.ts"
import { chargePorts } from "../charges/ChargePorts.ts"
import { PixCharges } from "../charges/PixCharges.ts"

/** The ports behind the checks and comparisons of the `Reconciler`. */
export const reconcilerPorts = Effect.gen(function* () {
  return { ...(yield* chargePorts), charges: yield* PixCharges, books: yield* Bookkeeping }
})

export type ReconcilerPorts = Effect.Success<typeof reconcilerPorts>
