import { rules } from "@pixcharge/testkit/simulation"
import { describe, expect, it } from "vitest"
import { applyEdits, plant } from "../plant.ts"
import type { PlantedFault } from "../PlantedFault.ts"
import { plantedFaults } from "../plantedFaults.ts"

/** As many as the gate runs of the code as it is. */
const mostSeeds = 3_000

/** The rule that the first seed breaks which breaks any. */
const findBroken = async (fault: PlantedFault): Promise<string | undefined> => {
  const simulate = await plant(fault)
  for (let seed = 1; seed <= mostSeeds; seed++) {
    const [violation] = (await simulate({ seed })).violations
    if (violation !== undefined) return violation.rule
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
