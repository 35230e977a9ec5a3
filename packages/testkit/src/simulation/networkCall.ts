import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { Actor } from "./World.ts"

/** What becomes of one call on its way. */
export interface Passage {
  readonly arriveMs: number
  readonly answerMs: number
  /** The request never arrives, or is carried out and its answer never arrives. */
  readonly lost?: "request" | "answer"
  /** The caller dies when the call arrives, or when it was carried out. */
  readonly dies?: "before" | "after"
}

/** Between whom calls are made. */
export interface CallWorld {
  readonly after: (ms: number, happens: () => void) => void
  readonly enqueue: (actor: Actor, task: () => void) => void
}

/** Calls, and has it done when the call arrives. No answer comes if one is lost. */
export type NetworkCall = <A, E>(
  caller: Actor,
  passage: Passage,
  doing: (ended: (exit: Exit.Exit<A, E>) => void) => void,
) => Effect.Effect<A, E>

/** Calls between processes: each arrives and is answered on its own, whatever becomes of who called. `die` ends a process. */
export const makeNetworkCall =
  (world: CallWorld, die: (actor: Actor) => void): NetworkCall =>
  <A, E>(
    caller: Actor,
    { arriveMs, answerMs, lost, dies }: Passage,
    doing: (ended: (exit: Exit.Exit<A, E>) => void) => void,
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
