import {
  type ChargeConflict,
  PaymentProcessor,
  type ProcessorRejected,
  type ProcessorUnavailable,
  type RegisteredCharge,
} from "@pixcharge/core"
import { makeSingleFlight } from "@pixcharge/core/cache"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Connections } from "../Connections.ts"
import { cancel } from "./cancel.ts"
import { lookup } from "./lookup.ts"
import { payments } from "./payments.ts"
import { lookupRefund, refund } from "./refund.ts"
import { orderMeaning, register } from "./register.ts"

type RegisterError = ProcessorUnavailable | ProcessorRejected | ChargeConflict

/** The `PaymentProcessor` of core over API Pix. */
export const apiPixProcessorLayer: Layer.Layer<PaymentProcessor, never, Connections> = Layer.effect(
  PaymentProcessor,
  Effect.gen(function* () {
    const connections = yield* Connections
    const registrations = makeSingleFlight<RegisteredCharge, RegisterError>(yield* Effect.scope)
    return PaymentProcessor.of({
      locality: "remote",
      register: (order) =>
        Effect.flatMap(connections.forCompany(order.company.cnpj), (client) =>
          // Two equal orders of one charge at once share one call; different ones must not overwrite each other.
          registrations(`${order.company.cnpj}/${order.txid}`, orderMeaning(order), register(client, order)),
        ),
      lookup: (charge) => Effect.flatMap(connections.forCompany(charge.issuer), (client) => lookup(client, charge)),
      cancel: (charge) => Effect.flatMap(connections.forCompany(charge.issuer), (client) => cancel(client, charge)),
      refund: (order) => Effect.flatMap(connections.forCompany(order.issuer), (client) => refund(client, order)),
      lookupRefund: (order) =>
        Effect.flatMap(connections.forCompany(order.issuer), (client) => lookupRefund(client, order)),
      payments: (issuer, search, cursor) =>
        Effect.flatMap(connections.forCompany(issuer), (client) => payments(client, issuer, search, cursor)),
    })
  }),
)
