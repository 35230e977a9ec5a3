import type { Step } from "./Action.ts"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"

const sharing: readonly [readonly [number, number], ...ReadonlyArray<readonly [number, number]>] = [
  [0, 1],
  [2, 3],
  [3, 4],
]

/** Inserts a step before the step at position `at`. The other steps keep their times. */
export const insert = (
  plan: ReadonlyArray<Step>,
  at: number,
  random: SeededRandom,
  step: Omit<Step, "afterMs">,
): Array<Step> => {
  const next = plan[at]
  if (next === undefined) return [...plan]
  const afterMs = random.between(0, next.afterMs)
  return [
    ...plan.slice(0, at),
    { ...step, afterMs },
    { ...next, afterMs: next.afterMs - afterMs },
    ...plan.slice(at + 1),
  ]
}

/** Two companies of one account register each other's key, and usually their own key again later. Some do so twice. */
export const moveKeys = (plan: ReadonlyArray<Step>, random: SeededRandom): ReadonlyArray<Step> => {
  let moved = plan
  for (let left = random.between(1, 2); left > 0; left--) {
    const [company, other] = random.pick(sharing)
    const swap: Omit<Step, "afterMs"> = { host: 0, action: { do: "swapKeys", company, other } }
    const from = random.between(2, moved.length - 1)
    moved = insert(moved, from, random, swap)
    if (random.chance(0.75)) moved = insert(moved, random.between(from + 1, moved.length - 1), random, swap)
  }
  return moved
}
