import { type StorePorts, StoreUnavailable } from "@pixcharge/core"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { StoreCall } from "./judge/describeWrite.ts"
import { pickPassage, type Surroundings } from "./calls.ts"
import type { FaultDecision } from "./FaultDecisions.ts"
import { mapMembers, type RunStore } from "./RunStore.ts"
import type { Actor } from "./World.ts"

interface StoreWorld extends Surroundings {
  /** Called when a call arrives. The returned function is called after its work. */
  readonly onCall: (caller: Actor) => (call: StoreCall) => void
  readonly onFailure: (caller: Actor) => void
}

const latencyMs = (decision: FaultDecision): number => {
  const { random } = decision
  if (decision.isHit("slowStore")) return random.between(100, 2_500)
  return random.between(0, random.chance(0.5) ? 3 : 60)
}

type Call = Effect.Effect<unknown, StoreUnavailable>

export const makeStoreClient = (
  run: Pick<RunStore, "ports" | "age">,
  caller: Actor,
  { world, network, faults, onCall, onFailure }: StoreWorld,
): Context.Context<StorePorts> => {
  const wrapCall = (port: string, method: string, args: ReadonlyArray<unknown>, doing: Call): Call =>
    Effect.suspend(() => {
      const { age } = run
      const decision = faults.decideNext(`${caller.name} ${port}.${method}`)
      const latency = { arriveMs: latencyMs(decision), answerMs: latencyMs(decision) }
      const way = pickPassage(decision, latency, { trouble: "store", unanswered: 1 })
      const called = network.call<unknown, StoreUnavailable>(caller, way, (onExit) => {
        if (run.age !== age) return
        const carriedOut = onCall(caller)
        network.execute(doing, (exit) => {
          if (Exit.isSuccess(exit)) carriedOut({ port, method, args, answer: exit.value })
          onExit(exit)
        })
      })
      if (way.lost === undefined) return called
      world.note(caller.name, `${port}.${method} is cut off (${way.lost} lost)`)
      const cut = Effect.suspend(() => {
        onFailure(caller)
        return new StoreUnavailable({ operation: method, cause: "the connection was cut" })
      })
      return Effect.timeoutOrElse(called, { duration: way.arriveMs + way.answerMs, orElse: () => cut })
    })

  return mapMembers(run.ports, (port, method, member) =>
    typeof member === "function"
      ? (...args: ReadonlyArray<unknown>) => wrapCall(port, method, args, member(...args) as Call)
      : member,
  )
}
