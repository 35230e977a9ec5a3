import { type ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import { makeSingleFlight } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import type { RecurrenceView } from "@pixcharge/core/recurrence"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Connections } from "../client/Connections.ts"
import type { BankClient } from "../client/PspClient.ts"
import { ApiPixMisconfigured } from "../connection/ApiPixConnection.ts"
import { makeRejected } from "../processor/refusals.ts"
import type { ReceivingAccount } from "../wire/bodies.ts"
import { cancelCycle, chargeCycle, retryCycle } from "./chargeCycle.ts"
import { lookupCycle } from "./lookupCycle.ts"
import { endRecurrence, lookupRecurrence } from "./lookupRecurrence.ts"
import { offer } from "./offer.ts"

class NoRecurrences extends ApiPixMisconfigured {
  constructor(company: Cnpj, why: string) {
    super({ company, message: `${company} can have no recurrences: ${why}.` })
  }
}

const failNoRecurrences = (company: Cnpj, why: string) =>
  Effect.fail(new ProcessorUnavailable({ operation: "connect", cause: new NoRecurrences(company, why) }))

export const apiPixRecurrencesLayer: Layer.Layer<RecurrenceProcessor, never, Connections> = Layer.effect(
  RecurrenceProcessor,
  Effect.gen(function* () {
    const connections = yield* Connections
    const offers = makeSingleFlight<RecurrenceView, ProcessorUnavailable | ProcessorRejected>(yield* Effect.scope)

    /**
     * A missing account counts as an outage, not as a rejection, to keep recurrences from before the account was
     * removed.
     */
    const use = <A, E>(
      company: Cnpj,
      call: (client: BankClient, account: ReceivingAccount) => Effect.Effect<A, E>,
    ): Effect.Effect<A, E | ProcessorUnavailable> =>
      Effect.flatMap(connections.forCompany(company), (client): Effect.Effect<A, E | ProcessorUnavailable> =>
        Result.isSuccess(client.receivingAccount)
          ? call(client, client.receivingAccount.success)
          : failNoRecurrences(company, client.receivingAccount.failure),
      )

    const refuseMisconfigured = (error: ProcessorUnavailable | ProcessorRejected) =>
      error._tag === "ProcessorUnavailable" && error.cause instanceof NoRecurrences
        ? makeRejected("offerRecurrence", error.cause.message)
        : error

    return RecurrenceProcessor.of({
      offer: (order) => {
        const { issuer, id } = order.recurrence
        const offered = use(issuer, (client) => offer(client, order))
        // Two concurrent calls would make two recurrences at the bank.
        return Effect.mapError(offers(`${issuer}/${id}`, id, offered), refuseMisconfigured)
      },
      lookup: (recurrence, others) =>
        use(recurrence.issuer, ({ forChecks }) => lookupRecurrence(forChecks, recurrence, others)),
      end: (recurrence) => use(recurrence.issuer, (client) => endRecurrence(client, recurrence)),
      charge: (order) => use(order.charge.issuer, ({ forRefunds }, account) => chargeCycle(forRefunds, order, account)),
      lookupCharge: (charge) => use(charge.issuer, ({ forChecks }, account) => lookupCycle(forChecks, charge, account)),
      cancelCharge: (charge) => use(charge.issuer, (client, account) => cancelCycle(client, charge, account)),
      retry: (charge, on) => use(charge.issuer, (client) => retryCycle(client, charge, on)),
    })
  }),
)
