import type { Action, Step } from "./Action.ts"
import { companies } from "./names.ts"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"

type Plan = ReadonlyArray<Step>

/** Above the numbers of a plan's other charges. */
const firstMany = 0x100

/** Pairs of companies that share an account. */
const sharing = [
  [0, 1],
  [2, 3],
  [3, 4],
] as const

/** Inserts a step before the step at position `at`. The other steps keep their times. */
const insert = (plan: Plan, at: number, random: SeededRandom, action: Action, host = 0): Plan => {
  const next = plan[at]
  if (next === undefined) return plan
  const afterMs = random.between(0, next.afterMs)
  return plan.toSpliced(at, 1, { host, action, afterMs }, { ...next, afterMs: next.afterMs - afterMs })
}

/** Companies register other fees while they sell. */
export const changeFees = (plan: Plan, random: SeededRandom): Plan => {
  let changed = plan
  for (let revision = random.between(1, 4); revision > 0; revision--) {
    const company = random.between(0, companies.length - 1)
    const at = random.between(2, changed.length - 1)
    changed = insert(changed, at, random, { do: "registerFees", company, revision })
  }
  return changed
}

/** Two companies of one account register each other's key, and usually their own key again later. Some do so twice. */
export const moveKeys = (plan: Plan, random: SeededRandom): Plan => {
  let moved = plan
  for (let left = random.between(1, 2); left > 0; left--) {
    const [company, other] = random.pick<readonly [number, number]>(sharing)
    const swap = { do: "swapKeys", company, other } as const
    const from = random.between(2, moved.length - 1)
    moved = insert(moved, from, random, swap)
    if (random.chance(0.75)) moved = insert(moved, random.between(from + 1, moved.length - 1), random, swap)
  }
  return moved
}

/** Issues many charges at once while processes die, and all of them again. */
export const issueMany = (plan: Plan, random: SeededRandom): Plan => {
  const from = firstMany + random.between(0, companies.length - 1)
  const action: Action = { do: "issueMany", from, to: from + companies.length * random.between(2, 9) }
  const at = random.between(2, plan.length - 1)
  const host = random.between(0, 1)
  const begun = insert(plan, at, random, action, host)
  const killed = random.chance(0.3) ? begun : insert(begun, at + 1, random, { do: "kill" }, host)
  return killed.toSpliced(-1, 0, { afterMs: random.between(1_000, 60_000), host, action })
}
