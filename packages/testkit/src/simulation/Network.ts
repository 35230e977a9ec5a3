import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import { actorContext } from "./actorContext.ts"
import type { Actor, World } from "./World.ts"

/** What becomes of one call on its way. */
export interface Passage {
  readonly arriveMs: number
  readonly answerMs: number
  /** The request never arrives, or is carried out and its answer never arrives. */
  readonly lost?: "request" | "answer"
  /** The caller dies when the call arrives, or when it was carried out. */
  readonly dies?: "before" | "after"
}

/** Calls between processes: each arrives and is answered on its own, whatever becomes of who called. */
export class Network {
  readonly #world: World
  readonly #context: Context.Context<never>
  readonly #die: (actor: Actor) => void

  /** `die` ends a process. */
  constructor(world: World, die: (actor: Actor) => void) {
    this.#world = world
    this.#die = die
    this.#context = actorContext(world, world.itself)
  }

  /** Has the world do this, and answers with how it ended. */
  carryOut<A, E>(doing: Effect.Effect<A, E>, ended: (exit: Exit.Exit<A, E>) => void): void {
    const fiber = Effect.runForkWith(this.#context)(doing)
    const known = fiber.pollUnsafe()
    if (known !== undefined) return ended(known)
    this.#world.pending += 1
    fiber.addObserver((exit) => {
      this.#world.pending -= 1
      ended(exit)
    })
  }

  /** Calls, and has it done when the call arrives. No answer comes if one is lost. */
  call<A, E>(
    caller: Actor,
    { arriveMs, answerMs, lost, dies }: Passage,
    doing: (ended: (exit: Exit.Exit<A, E>) => void) => void,
  ): Effect.Effect<A, E> {
    const world = this.#world
    return Effect.callback<A, E>((resume) => {
      world.after(arriveMs, () => {
        if (dies === "before") this.#die(caller)
        if (lost === "request" || dies === "before") return
        doing((exit) => {
          if (dies === "after") this.#die(caller)
          if (lost === "answer") return
          world.after(answerMs, () => world.enqueue(caller, () => resume(exit)))
        })
      })
    })
  }
}
