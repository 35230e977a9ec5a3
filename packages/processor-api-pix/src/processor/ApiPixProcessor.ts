import { PaymentProcessor, type RegisteredCharge } from "@pixcharge/core"
import { makeSingleFlight } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Connections, UnknownCompany } from "../client/Connections.ts"
import type { BankClient } from "../client/PspClient.ts"
import { cancel, lookup } from "./chargeCalls.ts"
import { orderMeaning } from "./orderTerms.ts"
import { payments } from "./payments.ts"
import { lookupRefund, refund } from "./refund.ts"
import { register, type RegisterError } from "./register.ts"

export const apiPixProcessorLayer: Layer.Layer<PaymentProcessor, never, Connections> = Layer.effect(
  PaymentProcessor,
  Effect.gen(function* () {
    const connections = yield* Connections
    const registrations = makeSingleFlight<RegisteredCharge, RegisterError>(yield* Effect.scope)
    const withClient = <A, E>(issuer: Cnpj, use: (client: BankClient) => Effect.Effect<A, E>) =>
      Effect.flatMap(connections.forCompany(issuer), use)
    return PaymentProcessor.of({
      locality: "remote",
      register: (order) =>
        withClient(order.company.cnpj, (client) =>
          // Concurrent equal orders of a charge share one call. Different orders of it run one after another.
          registrations(
            `${order.company.cnpj}/${order.txid}`,
            orderMeaning(order),
            register(order.isOneOfMany ? client.forMany : client, order),
          ),
        ).pipe(
          Effect.catchIf(
            (error) => error.cause instanceof UnknownCompany,
            ({ cause }) => Effect.die(cause),
          ),
        ),
      lookup: (charge) => withClient(charge.issuer, ({ forChecks }) => lookup(forChecks, charge)),
      cancel: (charge) => withClient(charge.issuer, (client) => cancel(client, charge)),
      refund: (order) => withClient(order.issuer, ({ forRefunds }) => refund(forRefunds, order)),
      lookupRefund: (order) => withClient(order.issuer, ({ forChecks }) => lookupRefund(forChecks, order)),
      payments: (issuer, search, cursor) =>
        withClient(issuer, ({ forChecks }) => payments(forChecks, issuer, search, cursor)),
    })
  }),
)
