import {
  type Bookkeeping,
  CallbackDelivery,
  type CallbackEndpoints,
  type CompanyDirectory,
  EventDispatcher,
  EventOperations,
  OutboxSignal,
  PaymentExceptions,
  PaymentNotices,
  type PaymentProcessor,
  PixCharges,
  Reconciler,
  type StorePorts,
} from "@pixcharge/core"
import { PublishedKinds } from "@pixcharge/core/internal"
import { type RecurrenceProcessor, Recurrences } from "@pixcharge/core/recurring"
import { defaultKinds, type EventKind } from "@pixcharge/core/charges"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { BankClient } from "./bank/BankClient.ts"
import { type OnEnd, Process } from "./Process.ts"
import type { Actor, World } from "./World.ts"

export type HostServices = PixCharges | Bookkeeping | PaymentExceptions | EventOperations | Reconciler | PaymentNotices
export type RecurrenceServices = PixCharges | Recurrences

export interface Serving {
  readonly actor: Actor
  readonly bank: BankClient
  /** False if the process is dead, ending or not ready. */
  readonly serve: <A, E>(call: Effect.Effect<A, E, HostServices>, onExit: (exit: Exit.Exit<A, E>) => void) => boolean
}

/** The directory of a simulated run. */
export type Directory = Context.Context<CompanyDirectory | CallbackEndpoints>

interface Ports<Processors> {
  readonly store: Context.Context<StorePorts>
  readonly directory: Directory
  readonly processor: Layer.Layer<Processors, unknown>
  readonly delivery: CallbackDelivery["Service"]
}

interface HostPorts extends Ports<PaymentProcessor> {
  readonly notices?: Layer.Layer<PaymentNotices, unknown, PixCharges | Bookkeeping | CompanyDirectory> | undefined
  readonly published: ReadonlyArray<EventKind>
}

/** Adds charges to services, and gives all of them the ports. */
const onPorts = <Services, Needs, Processors>(
  services: Layer.Layer<Services, unknown, Needs>,
  { store, directory, processor, delivery }: Ports<Processors>,
  published: ReadonlyArray<EventKind>,
) =>
  services.pipe(
    Layer.provideMerge(PixCharges.layer),
    Layer.provide(OutboxSignal.layer),
    Layer.provide(Layer.succeedContext(Context.merge(directory, store))),
    Layer.provide(processor),
    Layer.provide(Layer.succeed(CallbackDelivery, delivery)),
    Layer.provide(Layer.succeed(PublishedKinds, published)),
  )

const noWebhook = Layer.succeed(PaymentNotices, { handle: () => undefined })

const hostLayer = ({ notices = noWebhook, published, ...ports }: HostPorts): Layer.Layer<HostServices, unknown> => {
  const engine = [EventDispatcher.layer, EventOperations.layer, PaymentExceptions.layer, Reconciler.layer] as const
  return onPorts(Layer.mergeAll(...engine, notices), ports, published)
}

export const recurrenceLayer = (
  ports: Ports<PaymentProcessor | RecurrenceProcessor>,
): Layer.Layer<RecurrenceServices, unknown> => {
  const engine = Layer.mergeAll(EventDispatcher.layer, Reconciler.layer)
  return onPorts(Layer.provideMerge(engine, Recurrences.layer), ports, defaultKinds)
}

export class Host extends Process<HostServices> implements Serving {
  readonly bank: BankClient

  constructor(world: World, actor: Actor, bank: BankClient, ports: HostPorts, onEnd: OnEnd) {
    super(world, actor, hostLayer(ports), onEnd)
    this.bank = bank
  }
}
