import type { Step } from "./Action.ts"
import { insert } from "./moveKeys.ts"
import { companies } from "./names.ts"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"

/** Companies register other fees while they sell. */
export const changeFees = (plan: ReadonlyArray<Step>, random: SeededRandom): ReadonlyArray<Step> => {
  let changed = plan
  for (let revision = random.between(1, 4); revision > 0; revision--) {
    const company = random.between(0, companies.length - 1)
    const step = { host: 0, action: { do: "registerFees", company, revision } } as const
    changed = insert(changed, random.between(2, changed.length - 1), random, step)
  }
  return changed
}
