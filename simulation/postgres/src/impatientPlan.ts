import { makePlan, type Step } from "#simulation/Plan"
import { makeSeededRandom } from "#simulation/SeededRandom"

/** How many of the calls somebody makes twice at the same moment, of two processes. */
const impatience = 0.4

const called = new Set(["issue", "refund", "cancel", "replay", "refundException", "resolveException"])

/** The plan of a seed, in which clients are impatient: many of the calls are made of two processes at the same moment. */
export const impatientPlan = (seed: number, steps: number, hosts: number): ReadonlyArray<Step> => {
  const random = makeSeededRandom(seed ^ 0x1a9a)
  return makePlan(seed, steps, hosts).flatMap((step) => {
    const isRepeated = random.chance(impatience) && called.has(step.action.do)
    return isRepeated ? [step, { ...step, afterMs: 0, host: (step.host + 1) % hosts }] : [step]
  })
}
