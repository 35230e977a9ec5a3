import type { Action, Step } from "./Action.ts"
import { insert } from "./moveKeys.ts"
import { companies } from "./names.ts"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"

/** Above the numbers of a plan's other charges. */
const firstMany = 0x100

/** The charges of an action that are of its first charge's company. */
export const listMany = ({ from, to }: Extract<Action, { readonly do: "issueMany" }>): ReadonlyArray<number> =>
  Array.from({ length: (to - from) / companies.length + 1 }, (_, n) => from + n * companies.length)

/** Issues many charges at once while processes die, and all of them again. */
export const issueMany = (plan: ReadonlyArray<Step>, random: SeededRandom): ReadonlyArray<Step> => {
  const from = firstMany + random.between(0, companies.length - 1)
  const action: Action = { do: "issueMany", from, to: from + companies.length * random.between(2, 9) }
  const at = random.between(2, plan.length - 1)
  const host = random.between(0, 1)
  const [first, death] = [action, { do: "kill" } as const].map((one) => ({ host, action: one }))
  const begun = first === undefined ? plan : insert(plan, at, random, first)
  const killed = death === undefined || random.chance(0.3) ? begun : insert(begun, at + 1, random, death)
  return [...killed.slice(0, -1), { afterMs: random.between(1_000, 60_000), host, action }, ...killed.slice(-1)]
}
