import { rules } from "@pixcharge/testkit/simulation"
import { describe, expect, it } from "vitest"
import { applyEdits, plant } from "../plant.ts"
import type { PlantedFault } from "../PlantedFault.ts"
import { plantedFaults } from "../plantedFaults.ts"

/** As many as the gate runs of the code as it is. */
const mostSeeds = 3_000

/** A fault that only later seeds find is to be given one: its code is new, and a seed takes many times as long in it. */
const slowFrom = 5

/** The rule that a seed of the gate's breaks: the one that is known to, or else the first that does. */
const findBroken = async (fault: PlantedFault): Promise<string | undefined> => {
  const simulate = await plant(fault)
  const seeds = Array.from({ length: mostSeeds }, (_, at) => at + 1)
  for (const seed of fault.seed === undefined ? seeds : [fault.seed, ...seeds]) {
    const [violation] = (await simulate({ seed })).violations
    if (violation === undefined) continue
    if (seed > slowFrom && seed !== fault.seed) {
      process.stdout.write(`${fault.name}: give it the seed ${seed}, or each run looks for one anew\n`)
    }
    return violation.rule
  }
  return undefined
}

describe("the simulation", () => {
  for (const fault of plantedFaults) {
    it(
      `finds within the gate's seeds: ${fault.breaks}`,
      { tags: fault.isRare === true ? ["long"] : [], timeout: 300_000 },
      async () => {
        expect(fault.rules).toContain(await findBroken(fault))
      },
    )
  }

  it("is given no seed that the gate doesn't run", () => {
    const seeds = plantedFaults.flatMap(({ seed = [] }) => seed)
    expect(seeds.filter((seed) => seed > mostSeeds)).toEqual([])
  })

  it.each(rules)("finds within the gate's seeds a fault that breaks %s", (rule) => {
    const inGate = plantedFaults.filter(({ isRare }) => isRare !== true)
    expect(inGate.flatMap((fault) => fault.rules)).toContain(rule)
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
