import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import { actorContext } from "./actorContext.ts"
import { makeNetworkCall, type NetworkCall } from "./networkCall.ts"
import type { Actor, World } from "./World.ts"

export class Network {
  readonly call: NetworkCall
  readonly #world: World
  readonly #context: Context.Context<never>

  constructor(world: World, die: (actor: Actor) => void) {
    this.#world = world
    this.#context = actorContext(world, world.itself)
    this.call = makeNetworkCall(world, die)
  }

  execute<A, E>(doing: Effect.Effect<A, E>, onExit: (exit: Exit.Exit<A, E>) => void): void {
    const fiber = Effect.runForkWith(this.#context)(doing)
    const known = fiber.pollUnsafe()
    if (known !== undefined) return onExit(known)
    this.#world.pending += 1
    fiber.addObserver((exit) => {
      this.#world.pending -= 1
      onExit(exit)
    })
  }
}
