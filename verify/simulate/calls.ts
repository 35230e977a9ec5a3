import type { FaultDecision, FaultDecisions, FaultRates } from "./FaultDecisions.ts"
import type { Network, Passage } from "./Network.ts"
import type { World } from "./World.ts"

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
