import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { Actor } from "./World.ts"

export interface Passage {
  readonly arriveMs: number
  readonly answerMs: number
  /** The request is lost, or its work is done and the answer is lost. */
  readonly lost?: "request" | "answer"
  /** The caller dies before or after the call's work. */
  readonly dies?: "before" | "after"
}

export interface CallWorld {
  readonly after: (ms: number, happens: () => void) => void
  readonly enqueue: (actor: Actor, task: () => void) => void
}

/** Makes a call, whose work happens on arrival. Without an answer if one is lost. */
export type NetworkCall = <A, E>(
  caller: Actor,
  passage: Passage,
  doing: (onExit: (exit: Exit.Exit<A, E>) => void) => void,
) => Effect.Effect<A, E>

/** Makes calls between processes. Each arrives and is answered independent of its caller's life. `die` kills a process. */
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
