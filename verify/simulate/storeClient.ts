import { type StorePorts, StoreUnavailable } from "@pixcharge/core"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { StoreCall } from "./judge/describeWrite.ts"
import type { FaultDecision, FaultDecisions } from "./FaultDecisions.ts"
import { mapPorts } from "./mapPorts.ts"
import type { Network } from "./Network.ts"
import type { Passage } from "./networkCall.ts"
import type { RunStore } from "./RunStore.ts"
import type { Actor, World } from "./World.ts"

interface StoreWorld {
  readonly world: World
  readonly network: Network
  readonly faults: FaultDecisions
  /** Called when a call arrives. The returned function is called after its work. */
  readonly onCall: (caller: Actor) => (call: StoreCall) => void
  readonly onFailure: (caller: Actor) => void
}

const latencyMs = (decision: FaultDecision): number => {
  const { random } = decision
  if (decision.isHit("slowStore")) return random.between(100, 2_500)
  return random.between(0, random.chance(0.5) ? 3 : 60)
}

const passage = (decision: FaultDecision): Passage => {
  const way = { arriveMs: latencyMs(decision), answerMs: latencyMs(decision) }
  if (decision.hasFault("store", "lost")) return { ...way, lost: "request" }
  if (decision.hasFault("store", "unanswered")) return { ...way, lost: "answer" }
  if (decision.hasFault("deaths", "death before")) return { ...way, dies: "before" }
  return decision.hasFault("deaths", "death after") ? { ...way, dies: "after" } : way
}

type Service = Readonly<Record<string, unknown>>
type Call = Effect.Effect<unknown, StoreUnavailable>

export const makeStoreClient = (
  run: Pick<RunStore, "ports" | "age">,
  caller: Actor,
  { world, network, faults, onCall, onFailure }: StoreWorld,
): Context.Context<StorePorts> => {
  const wrapCall = (port: string, method: string, args: ReadonlyArray<unknown>, doing: Call): Call =>
    Effect.suspend(() => {
      const { age } = run
      const way = passage(faults.decideNext(`${caller.name} ${port}.${method}`))
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

  const wrapService = <S extends object>(port: string, service: S): S =>
    Object.fromEntries(
      Object.entries(service as Service).map(([method, member]) => [
        method,
        typeof member === "function"
          ? (...args: ReadonlyArray<unknown>) => wrapCall(port, method, args, member(...args) as Call)
          : member,
      ]),
    ) as S

  return mapPorts(run.ports, wrapService)
}
