import { makePlan, makeSeededRandom, type Step } from "@pixcharge/testkit/simulation"

/** How many of these somebody does twice at the same moment: clients with two processes, and payers with one charge. */
const impatience = 0.4

const repeated = new Set([
  "issue",
  "pay",
  "refund",
  "refundPart",
  "cancel",
  "replay",
  "refundException",
  "resolveException",
])

/** The plan of a seed, in which people are impatient. */
export const impatientPlan = (seed: number, steps: number, hosts: number): ReadonlyArray<Step> => {
  const random = makeSeededRandom(seed ^ 0x1a9a)
  return makePlan(seed, steps, hosts).flatMap((step) => {
    const isRepeated = random.chance(impatience) && repeated.has(step.action.do)
    return isRepeated ? [step, { ...step, afterMs: 0, host: (step.host + 1) % hosts }] : [step]
  })
}
