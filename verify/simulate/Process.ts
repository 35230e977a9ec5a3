import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { actorContext } from "./actorContext.ts"
import type { Actor, World } from "./World.ts"

/** Called when a process ends without being killed: it couldn't start, or a part of it failed. */
export type OnEnd = (actor: Actor, cause: Cause.Cause<unknown>) => void

export class Process<Services> {
  readonly actor: Actor
  readonly #world: World
  #services: Context.Context<Services> | undefined
  readonly #fiber: Fiber.Fiber<never, unknown>
  readonly #context: Context.Context<never>
  #isStopped = false

  constructor(world: World, actor: Actor, layer: Layer.Layer<Services, unknown>, onEnd: OnEnd) {
    this.#world = world
    this.actor = actor
    this.#context = actorContext(world, actor)
    const alive = Effect.gen({ self: this }, function* () {
      this.#services = yield* Layer.build(layer)
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

  /** False if the process is dead, ending or not ready. */
  serve<A, E>(call: Effect.Effect<A, E, Services>, onExit: (exit: Exit.Exit<A, E>) => void): boolean {
    if (!this.actor.isAlive || this.#services === undefined) return false
    const context = Context.merge(this.#context, this.#services)
    this.#world.enqueue(this.actor, () => Effect.runForkWith(context)(call).addObserver(onExit))
    return true
  }

  /** Shuts the process down gracefully: it finishes open work and releases leases. */
  stop(): void {
    this.#isStopped = true
    this.#services = undefined
    this.#fiber.interruptUnsafe()
  }
}
