import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import { actorContext } from "./actorContext.ts"
import type { Actor, World } from "./World.ts"

export interface Passage {
  readonly arriveMs: number
  readonly answerMs: number
  /** Loses the request, or the answer after the call's work. The call then never ends. */
  readonly lost?: "request" | "answer"
  /** The caller dies before or after the call's work. */
  readonly dies?: "before" | "after"
}

/** Calls between processes. A call arrives and is answered even if its caller dies in the meantime. */
export class Network {
  readonly #world: World
  readonly #die: (actor: Actor) => void
  readonly #context: Context.Context<never>

  constructor(world: World, die: (actor: Actor) => void) {
    this.#world = world
    this.#die = die
    this.#context = actorContext(world, world.itself)
  }

  /** Makes a call, whose work happens on arrival. */
  call<A, E>(
    caller: Actor,
    { arriveMs, answerMs, lost, dies }: Passage,
    doing: (onExit: (exit: Exit.Exit<A, E>) => void) => void,
  ): Effect.Effect<A, E> {
    return Effect.callback<A, E>((resume) => {
      this.#world.after(arriveMs, () => {
        if (dies === "before") this.#die(caller)
        if (lost === "request" || dies === "before") return
        doing((exit) => {
          if (dies === "after") this.#die(caller)
          if (lost === "answer") return
          this.#world.after(answerMs, () => this.#world.enqueue(caller, () => resume(exit)))
        })
      })
    })
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
