import type { ChargeId, Cnpj, PaymentSimulation } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { jsonReply } from "../wire/Envelope.ts"
import { simulationBody } from "../wire/StatusBody.ts"

/** Pays a charge as its payer would, in the sandbox (decision 17). */
export const simulatePayment = (simulation: PaymentSimulation["Service"]) => (issuer: Cnpj, id: ChargeId) =>
  Effect.as(simulation.simulate(issuer, id), jsonReply(200, simulationBody))
