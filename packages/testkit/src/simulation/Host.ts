import {
  type CallbackEndpoints,
  CallbackDelivery,
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
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type { BankClient } from "./bank/BankClient.ts"
import { actorContext } from "./actorContext.ts"
import type { Actor, World } from "./World.ts"

/** The services of a process for its callers. */
export type HostServices = PixCharges | PaymentExceptions | EventOperations | Reconciler | PaymentNotices

/** A process, as its callers see it. */
export interface Serving {
  readonly actor: Actor
  /** How it calls the bank. */
  readonly bank: BankClient
  /** Serves a call; false if the process is dead, ending or not ready. */
  readonly serve: <A, E>(call: Effect.Effect<A, E, HostServices>, onExit: (exit: Exit.Exit<A, E>) => void) => boolean
}

/** The surroundings of a process. */
export interface HostPorts {
  readonly store: Context.Context<StorePorts>
  readonly directory: Context.Context<CompanyDirectory | CallbackEndpoints>
  readonly processor: Layer.Layer<PaymentProcessor, unknown>
  /** Its webhook, if the bank calls one. */
  readonly notices?: Layer.Layer<PaymentNotices, unknown, PixCharges | CompanyDirectory> | undefined
  readonly delivery: CallbackDelivery["Service"]
}

/** Called when a process ends by itself: it could not start, or a part of it failed. */
type OnEnd = (actor: Actor, cause: Cause.Cause<unknown>) => void

const noWebhook = Layer.succeed(PaymentNotices, { handle: () => undefined })

/** The whole engine of one process. */
export const hostLayer = (ports: HostPorts): Layer.Layer<HostServices, unknown> => {
  const { store, directory, processor, delivery, notices = noWebhook } = ports
  const engine = [EventDispatcher.layer, EventOperations.layer, PaymentExceptions.layer, Reconciler.layer] as const
  return Layer.mergeAll(...engine, notices).pipe(
    Layer.provideMerge(PixCharges.layer),
    Layer.provide(OutboxSignal.layer),
    Layer.provide(Layer.succeedContext(Context.merge(directory, store))),
    Layer.provide(processor),
    Layer.provide(Layer.succeed(CallbackDelivery, delivery)),
  )
}

/** A process that runs the whole engine: it serves calls, sends events, and checks what is due. */
export class Host implements Serving {
  readonly actor: Actor
  readonly bank: BankClient
  readonly #world: World
  #services: Context.Context<HostServices> | undefined
  readonly #fiber: Fiber.Fiber<never, unknown>
  readonly #context: Context.Context<never>
  #isStopped = false

  constructor(world: World, actor: Actor, bank: BankClient, ports: HostPorts, onEnd: OnEnd) {
    this.#world = world
    this.actor = actor
    this.bank = bank
    this.#context = actorContext(world, actor)
    const alive = Effect.gen({ self: this }, function* () {
      this.#services = yield* Layer.build(hostLayer(ports))
      return yield* Effect.never
    })
    this.#fiber = Effect.runForkWith(this.#context)(Effect.scoped(alive))
    this.#fiber.addObserver((exit) => {
      this.#services = undefined
      if (actor.isAlive && !this.#isStopped && Exit.isFailure(exit)) onEnd(actor, exit.cause)
    })
  }

  get isServing(): boolean {
    return this.actor.isAlive && this.#services !== undefined
  }

  serve<A, E>(call: Effect.Effect<A, E, HostServices>, onExit: (exit: Exit.Exit<A, E>) => void): boolean {
    if (!this.actor.isAlive || this.#services === undefined) return false
    const context = Context.merge(this.#context, this.#services)
    this.#world.enqueue(this.actor, () => Effect.runForkWith(context)(call).addObserver(onExit))
    return true
  }

  /** Stops in order: finishes what is under way and releases leases. */
  stop(): void {
    this.#isStopped = true
    this.#services = undefined
    this.#fiber.interruptUnsafe()
  }
}
