import type { ChargeId, Cnpj, PixCharges } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { jsonReply } from "../wire/Envelope.ts"
import { refundBody } from "../wire/StatusBody.ts"

/** Returns the whole payment of a charge: 202 while the processor works on it (decision 18). */
export const refundCharge = (charges: PixCharges["Service"]) => (issuer: Cnpj, id: ChargeId) =>
  Effect.map(charges.refund(issuer, id), (charge) =>
    jsonReply(charge._tag === "Refunded" ? 200 : 202, refundBody(charge)),
  )
