import { ProcessorUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { FaultDecision, FaultDecisions } from "../FaultDecisions.ts"
import type { NetworkCall, Passage } from "../networkCall.ts"
import type { Actor, Timeline } from "../World.ts"

const timeLimitMs = 10_000
const minuteMs = 60_000
/** The possible delays of a call that still takes effect. An offer has no key and is given up after its delay. */
const latestMs = { offer: [1.5 * minuteMs], other: [minuteMs, 50 * minuteMs, 300 * minuteMs] } as const
/** The maximum age of the bank's view. */
const maxLagMs = 5 * minuteMs

const passage = (decision: FaultDecision, isOffer: boolean): Passage => {
  const { random } = decision
  const way = { arriveMs: random.between(1, 150), answerMs: random.between(1, 150) }
  if (decision.hasFault("bank", "lost")) return { ...way, lost: "request" }
  if (decision.hasFault("bank", "unanswered", 2)) return { ...way, lost: "answer" }
  if (decision.hasFault("bank", "late")) {
    const arriveMs = random.between(1_000, random.pick(latestMs[isOffer ? "offer" : "other"]))
    return { ...way, arriveMs, lost: "answer" }
  }
  if (decision.hasFault("deaths", "death before")) return { ...way, dies: "before" }
  return decision.hasFault("deaths", "death after") ? { ...way, dies: "after" } : way
}

export interface Arrival {
  readonly sentAt: number
  readonly at: number
  /** How far the bank's view is behind, in milliseconds. */
  readonly lagMs: number
}

/** Calls the bank, which acts when the call arrives. */
export type CallBank = <A>(
  what: string,
  doing: (arrival: Arrival) => A,
  isOffer?: boolean,
) => Effect.Effect<A, ProcessorUnavailable>

interface BankWorld {
  readonly world: Timeline
  readonly network: { readonly call: NetworkCall }
  readonly faults: FaultDecisions
}

export const makeCallBank =
  ({ world, network, faults }: BankWorld, caller: Actor): CallBank =>
  (what, doing, isOffer = false) =>
    Effect.suspend(() => {
      const sentAt = world.now
      const decision = faults.decideNext(`${caller.name} asks to ${what}`)
      const way = passage(decision, isOffer)
      const lagMs = decision.hasFault("lists", "lag") ? decision.random.between(0, maxLagMs) : 0
      if (way.lost === "request") world.note("bank", `never hears ${caller.name} ask to ${what}`)
      const called = network.call<ReturnType<typeof doing>, never>(caller, way, (onExit) => {
        world.note("bank", `${caller.name} asks to ${what}${way.lost === "answer" ? ", and hears no answer" : ""}`)
        onExit(Exit.succeed(structuredClone(doing({ sentAt, at: world.now, lagMs }))))
      })
      return Effect.timeoutOrElse(called, {
        duration: timeLimitMs,
        orElse: () => Effect.fail(new ProcessorUnavailable({ operation: what, cause: "no answer in time" })),
      })
    })
