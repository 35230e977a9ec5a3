import { ProcessorUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type Passage, pickPassage, type Surroundings } from "../Network.ts"
import type { FaultDecision } from "../FaultDecisions.ts"
import type { Actor } from "../World.ts"

const minuteMs = 60_000
/** The maximum delays of a call that still takes effect. */
const latestMs = [minuteMs, 50 * minuteMs, 300 * minuteMs] as const
/** An offer has no key and is given up after its delay. */
const latestOfferMs = [1.5 * minuteMs] as const
/** Shorter than the time limit of the bank's clients. */
const slowestMs = 3_500
const timeLimitMs = 10_000
/** The maximum age of the view of the bank of recurrences. */
const maxLagMs = 5 * minuteMs

type Doing<A> = (answer: (value: A) => void) => void

const pickWay = ({ random }: FaultDecision) => ({ arriveMs: random.between(1, 150), answerMs: random.between(1, 150) })

/** Calls the bank, which acts when the call arrives. A lost or late call never returns. */
const ask = <A>({ world, network }: Surroundings, caller: Actor, what: string, way: Passage, doing: Doing<A>) => {
  if (way.lost === "request") world.note("bank", `never hears ${caller.name} ask to ${what}`)
  return network.call<A, never>(caller, way, (onExit) => {
    world.note("bank", `${caller.name} asks to ${what}${way.lost === "answer" ? ", and hears no answer" : ""}`)
    doing((value) => onExit(Exit.succeed(value)))
  })
}

export interface BankWorld extends Surroundings {
  /** Called when a request for the return `id` arrives. `sentAt` is the time of sending, in epoch milliseconds. */
  readonly onReturnRequested: (caller: Actor, id: string, sentAt: number) => void
}

/** Calls the bank of charges, by name: the faults follow from it. */
export type BankCall = <A>(what: string, doing: Doing<A>, returnId?: string) => Effect.Effect<A>

export const makeBankCall =
  (around: BankWorld, caller: Actor): BankCall =>
  <A>(what: string, doing: Doing<A>, returnId?: string) =>
    Effect.suspend(() => {
      const sentAt = around.world.now
      const decision = around.faults.decideNext(`${caller.name} asks to ${what}`)
      const late =
        returnId === undefined
          ? (["bank", 2, latestMs] as const)
          : (["returns", 2, [...latestMs, latestMs[2]]] as const)
      const way = pickPassage(decision, pickWay(decision), { trouble: "bank", unanswered: 2, late })
      const isSlow = way.lost === undefined && way.dies === undefined && decision.hasFault("bank", "slow")
      const slow = isSlow && { answerMs: decision.random.between(1_000, slowestMs) }
      return ask<A>(around, caller, what, { ...way, ...slow }, (answer) => {
        if (returnId !== undefined) around.onReturnRequested(caller, returnId, sentAt)
        doing(answer)
      })
    })

export const limitTime = <A, E>(
  operation: string,
  call: Effect.Effect<A, E>,
): Effect.Effect<A, E | ProcessorUnavailable> =>
  Effect.timeoutOrElse(call, {
    duration: timeLimitMs,
    orElse: () => Effect.fail(new ProcessorUnavailable({ operation, cause: "no answer in time" })),
  })

export interface Arrival {
  readonly sentAt: number
  readonly at: number
  /** How far the bank's view is behind, in milliseconds. */
  readonly lagMs: number
}

/** Calls the bank of recurrences. */
export type RecurrenceCall = <A>(
  what: string,
  doing: (arrival: Arrival) => A,
  isOffer?: boolean,
) => Effect.Effect<A, ProcessorUnavailable>

export const makeRecurrenceCall =
  (around: Surroundings, caller: Actor): RecurrenceCall =>
  (what, doing, isOffer = false) =>
    Effect.suspend(() => {
      const sentAt = around.world.now
      const decision = around.faults.decideNext(`${caller.name} asks to ${what}`)
      const late = ["bank", 1, isOffer ? latestOfferMs : latestMs] as const
      const way = pickPassage(decision, pickWay(decision), { trouble: "bank", unanswered: 2, late })
      const lagMs = decision.hasFault("lists", "lag") ? decision.random.between(0, maxLagMs) : 0
      const called = ask<ReturnType<typeof doing>>(around, caller, what, way, (answer) =>
        answer(structuredClone(doing({ sentAt, at: around.world.now, lagMs }))),
      )
      return limitTime(what, called)
    })
