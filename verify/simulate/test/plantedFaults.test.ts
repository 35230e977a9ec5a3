import { type Rule, rules } from "@pixcharge/testkit/judge"
import { describe, expect, it } from "vitest"
import { applyEdits, plant } from "../plant.ts"
import type { PlantedFault } from "../PlantedFault.ts"
import { plantedFaults } from "../plantedFaults.ts"

/** As many as the gate runs of the code as it is. */
const mostSeeds = 3_000

/** A fault that only later seeds find is to be given one: its code is new, and a seed takes many times as long in it. */
const slowFrom = 5

/** The first of the fault's rules that a seed of the gate's breaks: the seed that is known to, or else the first that does. */
const search = async (fault: PlantedFault): Promise<Rule | undefined> => {
  const simulate = await plant(fault)
  const seeds = Array.from({ length: mostSeeds }, (_, at) => at + 1)
  for (const seed of fault.seed === undefined ? seeds : [fault.seed, ...seeds]) {
    const [violation] = (await simulate({ seed })).violations
    if (violation === undefined || !fault.rules.includes(violation.rule)) continue
    if (seed > slowFrom && seed !== fault.seed) {
      process.stdout.write(`${fault.name}: give it the seed ${seed}, or each run looks for one anew\n`)
    }
    return violation.rule
  }
  return undefined
}

const searches = new Map<string, Promise<Rule | undefined>>()

/** The rule by which the fault is found, which is looked for once. */
const findBroken = (fault: PlantedFault): Promise<Rule | undefined> => {
  const known = searches.get(fault.name) ?? search(fault)
  searches.set(fault.name, known)
  return known
}

describe("the simulation", () => {
  for (const fault of plantedFaults) {
    it(`finds within the gate's seeds: ${fault.defect}`, { timeout: 300_000 }, async () => {
      expect(await findBroken(fault)).toBeDefined()
    })
  }

  it("is given no seed that the gate doesn't run", () => {
    const seeds = plantedFaults.flatMap(({ seed = [] }) => seed)
    expect(seeds.filter((seed) => seed > mostSeeds)).toEqual([])
  })

  it("has no rule by which it finds no fault", { timeout: 600_000 }, async () => {
    const found = new Set<Rule | undefined>()
    for (const fault of plantedFaults) found.add(await findBroken(fault))
    expect(Object.keys(rules).filter((rule) => !found.has(rule as Rule))).toEqual([])
  })
})

describe("a planted fault", () => {
  const edit = { file: "some.ts", text: "b", replacement: "x" }

  it("is planted in its place", () => {
    expect(applyEdits("abc", [edit])).toBe("axc")
  })

  it.each(["ac", "abcb"])("fails to be planted in a source that hasn't its text once (%s)", (source) => {
    expect(() => applyEdits(source, [edit])).toThrow(/some\.ts has (no|more than one) place/)
  })

  it("fails to be planted in a file that the simulation doesn't use", async () => {
    const elsewhere = { ...edit, file: "packages/http/src/index.ts" }
    await expect(plant({ name: "elsewhere", edits: [elsewhere] })).rejects.toThrow(/packages\/http/)
  })
})
