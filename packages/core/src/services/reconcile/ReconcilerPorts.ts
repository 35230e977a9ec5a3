import * as Effect from "effect/Effect"
import { Bookkeeping } from "../charges/Bookkeeping.ts"
import { chargePorts } from "../charges/ChargePorts.ts"
import { PixCharges } from "../charges/PixCharges.ts"

export const reconcilerPorts = Effect.gen(function* () {
  return { ...(yield* chargePorts), charges: yield* PixCharges, books: yield* Bookkeeping }
})

export type ReconcilerPorts = Effect.Success<typeof reconcilerPorts>
