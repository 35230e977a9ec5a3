import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { Actor } from "./World.ts"

export interface Passage {
  readonly arriveMs: number
  readonly answerMs: number
  /** Loses the request, or the answer after the call's work. */
  readonly lost?: "request" | "answer"
  /** The caller dies before or after the call's work. */
  readonly dies?: "before" | "after"
}

export interface CallWorld {
  readonly after: (ms: number, happens: () => void) => void
  readonly enqueue: (actor: Actor, task: () => void) => void
}

/** Makes a call. Its work happens on arrival. If the request or the answer is lost, the call never ends. */
export type NetworkCall = <A, E>(
  caller: Actor,
  passage: Passage,
  doing: (onExit: (exit: Exit.Exit<A, E>) => void) => void,
) => Effect.Effect<A, E>

/**
 * Makes calls between processes. A call arrives and is answered even if its caller dies in the meantime. `die` kills a
 * process.
 */
export const makeNetworkCall =
  (world: CallWorld, die: (actor: Actor) => void): NetworkCall =>
  <A, E>(
    caller: Actor,
    { arriveMs, answerMs, lost, dies }: Passage,
    doing: (onExit: (exit: Exit.Exit<A, E>) => void) => void,
  ) =>
    Effect.callback<A, E>((resume) => {
      world.after(arriveMs, () => {
        if (dies === "before") die(caller)
        if (lost === "request" || dies === "before") return
        doing((exit) => {
          if (dies === "after") die(caller)
          if (lost === "answer") return
          world.after(answerMs, () => world.enqueue(caller, () => resume(exit)))
        })
      })
    })
