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
import type { EventKind } from "@pixcharge/core/charges"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { BankClient } from "./bank/BankClient.ts"
import { type OnEnd, Process } from "./Process.ts"
import type { Actor, World } from "./World.ts"

export type HostServices = PixCharges | Bookkeeping | PaymentExceptions | EventOperations | Reconciler | PaymentNotices

export interface Serving {
  readonly actor: Actor
  readonly bank: BankClient
  /** False if the process is dead, ending or not ready. */
  readonly serve: <A, E>(call: Effect.Effect<A, E, HostServices>, onExit: (exit: Exit.Exit<A, E>) => void) => boolean
}

export interface HostPorts {
  readonly store: Context.Context<StorePorts>
  readonly directory: Context.Context<CompanyDirectory | CallbackEndpoints>
  readonly processor: Layer.Layer<PaymentProcessor, unknown>
  readonly notices?: Layer.Layer<PaymentNotices, unknown, PixCharges | Bookkeeping | CompanyDirectory> | undefined
  readonly delivery: CallbackDelivery["Service"]
  readonly published: ReadonlyArray<EventKind>
}

const noWebhook = Layer.succeed(PaymentNotices, { handle: () => undefined })

export const hostLayer = (ports: HostPorts): Layer.Layer<HostServices, unknown> => {
  const { store, directory, processor, delivery, published, notices = noWebhook } = ports
  const engine = [EventDispatcher.layer, EventOperations.layer, PaymentExceptions.layer, Reconciler.layer] as const
  return Layer.mergeAll(...engine, notices).pipe(
    Layer.provideMerge(PixCharges.layer),
    Layer.provide(OutboxSignal.layer),
    Layer.provide(Layer.succeedContext(Context.merge(directory, store))),
    Layer.provide(processor),
    Layer.provide(Layer.succeed(CallbackDelivery, delivery)),
    Layer.provide(Layer.succeed(PublishedKinds, published)),
  )
}

export class Host extends Process<HostServices> implements Serving {
  readonly bank: BankClient

  constructor(world: World, actor: Actor, bank: BankClient, ports: HostPorts, onEnd: OnEnd) {
    super(world, actor, hostLayer(ports), onEnd)
    this.bank = bank
  }
}
