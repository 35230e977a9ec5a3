import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { fixtureNow } from "../../fixtures/Charges.ts"
import type { StoreTests, TestedPorts } from "../StoreDriver.ts"

/**
 * An actor that does the same as others at the same time, under the same ids, with its own amounts, texts and moments.
 */
export interface Actor {
  readonly issuer: Cnpj
  readonly endpointId: string
  /** From 0. */
  readonly number: number
}

/** An action or a reading of an actor; its result shows whether others interfered. */
export type Step = (actor: Actor) => Effect.Effect<unknown, unknown, TestedPorts>

const apartMs = 3_600_000

/** A moment of this actor, before all moments of actors with higher numbers. */
export const momentFor = ({ number }: Actor, ms = 0): number => fixtureNow + number * apartMs + ms

/**
 * Adds a reading of all that the actor has before each turn and after the last: it shows what the previous actor has
 * just done, and its own earlier actions.
 */
export const interleaveLooks = (turns: ReadonlyArray<ReadonlyArray<Step>>, look: Step): ReadonlyArray<Step> => [
  ...turns.map(
    (steps): Step =>
      (actor) =>
        Effect.forEach([look, ...steps], (step) => step(actor)),
  ),
  look,
]

/** Runs the steps, each by every actor in turn; returns each actor's results. */
const live = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, actors: ReadonlyArray<Actor>) {
  const answers: ReadonlyArray<Array<unknown>> = actors.map(() => [])
  for (const step of steps) {
    for (const [at, actor] of actors.entries()) answers[at]?.push(yield* step(actor))
  }
  return answers
})

/** Expects that each actor gets the same results beside others as alone on a store. */
export const expectSeparateLives = async (
  { onEmptyStore }: StoreTests,
  steps: ReadonlyArray<Step>,
  actors: ReadonlyArray<Actor>,
): Promise<void> => {
  const together = await onEmptyStore(live(steps, actors))
  for (const [at, actor] of actors.entries()) {
    const [alone] = await onEmptyStore(live(steps, [actor]))
    for (const [step, answer] of (alone ?? []).entries()) {
      expect({ actor, step, answer: together[at]?.[step] }).toEqual({ actor, step, answer })
    }
  }
}
