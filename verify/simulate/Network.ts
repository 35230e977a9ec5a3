import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { FaultDecision, FaultDecisions, FaultRates } from "./FaultDecisions.ts"
import type { Actor, World } from "./World.ts"
import { actorContext } from "./Process.ts"

/** What every call needs: the world's time, its network, and the faults that the seed decides. */
export interface Surroundings {
  readonly world: World
  readonly network: Network
  readonly faults: FaultDecisions
}

interface Troubles {
  readonly trouble: "store" | "bank"
  /** How many times as often as a request an answer gets lost. */
  readonly unanswered: number
  /** Calls that still take effect after their caller gave up: their trouble, its factor and the maximum delays. */
  readonly late?: readonly [
    trouble: keyof FaultRates,
    factor: number,
    maxMs: readonly [number, ...ReadonlyArray<number>],
  ]
}

/** How a call passes: its request or its answer can get lost or come too late, and its caller can die. */
export const pickPassage = (
  decision: FaultDecision,
  way: Pick<Passage, "arriveMs" | "answerMs">,
  { trouble, unanswered, late }: Troubles,
): Passage => {
  const { random } = decision
  if (decision.hasFault(trouble, "lost")) return { ...way, lost: "request" }
  if (decision.hasFault(trouble, "unanswered", unanswered)) return { ...way, lost: "answer" }
  if (late && decision.hasFault(late[0], "late", late[1])) {
    return { ...way, arriveMs: random.between(1_000, random.pick(late[2])), lost: "answer" }
  }
  if (decision.hasFault("deaths", "death before")) return { ...way, dies: "before" }
  return decision.hasFault("deaths", "death after") ? { ...way, dies: "after" } : way
}

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
