import { pathToFileURL } from "node:url"
import { type Rule, rules } from "@pixcharge/testkit/judge"
import type * as Simulation from "@pixcharge/testkit/simulation"
import { describe, expect, it } from "vitest"
import { faultsIn } from "../faultsIn.ts"
import { applyEdits, bundle } from "../plant.ts"
import type { PlantedFault } from "../PlantedFault.ts"

/** How many seeds are tried if another history hides a fault at its seed. */
const maxSeeds = 1_000

const faults = await faultsIn<PlantedFault>("simulated.ts")

const write = await bundle(
  faults.map(({ name, rule, file, text, replacement }) => ({
    name: rule,
    edits: [{ file: `packages/${name}/src/${file}`, text, replacement }],
  })),
)

describe("the simulation", () => {
  it.each(faults)("finds by $rule: $defect ($name)", { timeout: 600_000 }, async ({ rule, seed: known }) => {
    const { simulate } = (await import(pathToFileURL(write(rule)).href)) as typeof Simulation
    const found: Array<Rule> = []
    for (let seed = known ?? 1; found[0] !== rule && seed <= maxSeeds; seed++) {
      found.splice(0, 1, ...(await simulate({ seed })).violations.slice(0, 1).map((violation) => violation.rule))
      if (found[0] === rule && seed > (known ?? 9)) process.stdout.write(`${rule}: give it the seed ${seed}\n`)
    }
    expect(found).toEqual([rule])
  })

  it("has one fault for each rule", () => {
    expect(faults.map(({ rule }) => rule).toSorted()).toEqual(Object.keys(rules).toSorted())
  })
})

describe("a planted fault", () => {
  const edit = { file: "some.ts", text: "b", replacement: "x" }

  it("is planted in its place", () => {
    expect(applyEdits("abc", [edit])).toBe("axc")
  })

  it.each(["ac", "abcb"])("can't be planted in a source that doesn't contain its text exactly once (%s)", (source) => {
    expect(() => applyEdits(source, [edit])).toThrow(/some\.ts has (no|more than one) place/)
  })

  it("can't be planted in a file that the simulation doesn't use", async () => {
    const elsewhere = { ...edit, file: "packages/http/src/index.ts" }
    await expect(bundle([{ name: "elsewhere", edits: [elsewhere] }])).rejects.toThrow(/packages\/http/)
  })
})
