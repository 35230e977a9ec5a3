import {
  CallbackDelivery,
  CallbackEndpoints,
  type CompanyDirectory,
  EventDispatcher,
  OutboxSignal,
  type PaymentProcessor,
  PixCharges,
  Reconciler,
  type StorePorts,
} from "@pixcharge/core"
import { type RecurrenceProcessor, Recurrences } from "@pixcharge/core/recurring"
import { factKinds } from "@pixcharge/core/charges"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { anHttpEndpoint } from "@pixcharge/adapter-tests/fixtures"
import type { RecurrenceServices } from "./RecurrenceClients.ts"

/** A directory's companies, each with one endpoint that gets every kind of event. */
export const withAllKinds = (
  directory: Context.Context<CompanyDirectory>,
): Context.Context<CompanyDirectory | CallbackEndpoints> => {
  const find = (id: string) => ({ ...anHttpEndpoint("https://receiver.invalid/"), id, kinds: factKinds })
  return Context.add(directory, CallbackEndpoints, {
    forCompany: (issuer) => Effect.succeed([find(issuer)]),
    find: (id) => Effect.succeed(find(id)),
    setStatus: () => Effect.void,
  })
}

interface RecurrencePorts {
  readonly store: Context.Context<StorePorts>
  readonly directory: Context.Context<CompanyDirectory | CallbackEndpoints>
  readonly processor: Layer.Layer<PaymentProcessor | RecurrenceProcessor>
  readonly delivery: CallbackDelivery["Service"]
}

export const recurrenceHostLayer = ({ store, directory, processor, delivery }: RecurrencePorts) =>
  Layer.mergeAll(EventDispatcher.layer, Reconciler.layer).pipe(
    Layer.provideMerge(Recurrences.layer),
    Layer.provideMerge(PixCharges.layer),
    Layer.provide(OutboxSignal.layer),
    Layer.provide(Layer.succeedContext(Context.merge(directory, store))),
    Layer.provide(processor),
    Layer.provide(Layer.succeed(CallbackDelivery, delivery)),
  ) satisfies Layer.Layer<RecurrenceServices, unknown>
