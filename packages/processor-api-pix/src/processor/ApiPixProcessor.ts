import { type ChargeOrder, PaymentProcessor } from "@pixcharge/core"
import { makeSingleFlight } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Connections, UnknownCompany } from "../client/Connections.ts"
import type { BankClient } from "../client/PspClient.ts"
import { change } from "./change.ts"
import { cancel, lookup } from "./chargeCalls.ts"
import { orderMeaning } from "./orderTerms.ts"
import { payments } from "./payments.ts"
import { lookupRefund, refund } from "./refund.ts"
import { register } from "./register.ts"

type Orders = <A, E>(order: ChargeOrder, operation: string, sent: Effect.Effect<A, E>) => Effect.Effect<A, E>

export const apiPixProcessorLayer: Layer.Layer<PaymentProcessor, never, Connections> = Layer.effect(
  PaymentProcessor,
  Effect.gen(function* () {
    const connections = yield* Connections
    const flight = makeSingleFlight<unknown, unknown>(yield* Effect.scope)
    /** Concurrent equal orders of a charge share one call. Different orders of it run one after another. */
    const sendOnce = ((order, operation, sent) =>
      flight(`${order.company.cnpj}/${order.txid}`, `${operation} ${orderMeaning(order)}`, sent)) as Orders
    const withClient = <A, E>(issuer: Cnpj, use: (client: BankClient) => Effect.Effect<A, E>) =>
      Effect.flatMap(connections.forCompany(issuer), use)
    return PaymentProcessor.of({
      locality: "remote",
      register: (order) =>
        withClient(order.company.cnpj, (client) =>
          sendOnce(order, "register", register(order.isOneOfMany ? client.forMany : client, order)),
        ).pipe(
          Effect.catchIf(
            (error) => error.cause instanceof UnknownCompany,
            ({ cause }) => Effect.die(cause),
          ),
        ),
      changes: (issuer) => withClient(issuer, ({ profile }) => Effect.succeed(profile.changes)),
      change: (order) => withClient(order.company.cnpj, (client) => sendOnce(order, "change", change(client, order))),
      lookup: (charge) => withClient(charge.issuer, ({ forChecks }) => lookup(forChecks, charge)),
      cancel: (charge) => withClient(charge.issuer, (client) => cancel(client, charge)),
      refund: (order) => withClient(order.issuer, ({ forRefunds }) => refund(forRefunds, order)),
      lookupRefund: (order) => withClient(order.issuer, ({ forChecks }) => lookupRefund(forChecks, order)),
      payments: (issuer, search, cursor) =>
        withClient(issuer, ({ forChecks }) => payments(forChecks, issuer, search, cursor)),
    })
  }),
)
