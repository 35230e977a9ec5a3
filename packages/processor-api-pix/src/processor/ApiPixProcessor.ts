import {
  type ChargeConflict,
  PaymentProcessor,
  type ProcessorRejected,
  type ProcessorUnavailable,
  type RegisteredCharge,
} from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Connections } from "../Connections.ts"
import { makeSingleFlight } from "../http/SingleFlight.ts"
import { cancel } from "./cancel.ts"
import { lookup } from "./lookup.ts"
import { payments } from "./payments.ts"
import { lookupRefund, refund } from "./refund.ts"
import { meaningOf, register } from "./register.ts"

type RegisterError = ProcessorUnavailable | ProcessorRejected | ChargeConflict

/** The bank behind API Pix as the service's payment processor. */
export const apiPixProcessorLayer: Layer.Layer<PaymentProcessor, never, Connections> = Layer.effect(
  PaymentProcessor,
  Effect.gen(function* () {
    const connections = yield* Connections
    const registrations = makeSingleFlight<RegisteredCharge, RegisterError>(yield* Effect.scope)
    return PaymentProcessor.of({
      locality: "remote",
      register: (order) =>
        Effect.flatMap(connections.of(order.company.cnpj), (client) =>
          // Two orders of one charge at once: alike they share one call, different ones must not put over each other.
          registrations(`${order.company.cnpj}/${order.txid}`, meaningOf(order), register(client, order)),
        ),
      lookup: (charge) => Effect.flatMap(connections.of(charge.issuer), (client) => lookup(client, charge)),
      cancel: (charge) => Effect.flatMap(connections.of(charge.issuer), (client) => cancel(client, charge)),
      refund: (order) => Effect.flatMap(connections.of(order.issuer), (client) => refund(client, order)),
      lookupRefund: (order) => Effect.flatMap(connections.of(order.issuer), (client) => lookupRefund(client, order)),
      payments: (issuer, search, cursor) =>
        Effect.flatMap(connections.of(issuer), (client) => payments(client, issuer, search, cursor)),
    })
  }),
)
