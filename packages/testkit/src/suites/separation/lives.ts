import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { fixtureNow } from "../../fixtures/Charges.ts"
import type { StoreTests, TestedPorts } from "../StoreDriver.ts"

/** Who does the same as others at the same time, under the same ids, with amounts, texts and moments of its own. */
export interface Actor {
  readonly issuer: Cnpj
  readonly endpointId: string
  /** From 0. */
  readonly number: number
}

/** Something that an actor does or sees; what it answers tells whether others had a part in it. */
export type Step = (actor: Actor) => Effect.Effect<unknown, unknown, TestedPorts>

const apartMs = 3_600_000

/** A moment of this actor: its moments come before those of all actors with a higher number. */
export const momentFor = ({ number }: Actor, ms = 0): number => fixtureNow + number * apartMs + ms

/**
 * Turns of some steps each, before each of which, and after the last, the actor looks at all that it has: it sees what the
 * actor before it has just done, and what it did itself before.
 */
export const interleaveLooks = (turns: ReadonlyArray<ReadonlyArray<Step>>, look: Step): ReadonlyArray<Step> => [
  ...turns.map(
    (steps): Step =>
      (actor) =>
        Effect.forEach([look, ...steps], (step) => step(actor)),
  ),
  look,
]

/** Goes through the steps, each of which every actor does in turn; answers with what each of them was answered. */
const live = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, actors: ReadonlyArray<Actor>) {
  const answers: ReadonlyArray<Array<unknown>> = actors.map(() => [])
  for (const step of steps) {
    for (const [at, actor] of actors.entries()) answers[at]?.push(yield* step(actor))
  }
  return answers
})

/** Each actor is answered beside the others what it is answered on a store that it has for itself. */
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
