import { type RecurrenceRule, recurrenceRules } from "../../judge/index.ts"
import type { simulateRecurrences } from "../../index.ts"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { faultsIn } from "../../faultsIn.ts"
import { bundle } from "../../plant.ts"
import type { PlantedFault } from "../../PlantedFault.ts"

interface Planted extends Omit<PlantedFault, "rule"> {
  readonly rule: RecurrenceRule
}

const module = "verify/simulate/recurrences/simulateRecurrences.ts"
const maxSeeds = 30

const faults = (await faultsIn<Planted>("recurring.ts")).map((fault, index) => ({
  ...fault,
  bundled: `recurring-${index}`,
}))
const write = await bundle(
  faults.map(({ name, bundled, file, text, replacement }) => ({
    name: bundled,
    edits: [{ file: `packages/${name}/src/${file}`, text, replacement }],
  })),
  module,
)

describe("the simulation of recurrences", { tags: ["long"] }, () => {
  it.each(faults)("finds by $rule: $defect", { timeout: 600_000 }, async ({ rule, bundled, seed: known = 1 }) => {
    const planted = (await import(pathToFileURL(write(bundled)).href)) as {
      readonly simulateRecurrences: typeof simulateRecurrences
    }
    const found = new Set<RecurrenceRule>()
    for (let seed = known; !found.has(rule) && seed < known + maxSeeds; seed++) {
      const { violations } = await planted.simulateRecurrences({ seed })
      for (const violation of violations) found.add(violation.rule)
    }
    expect([...found]).toContain(rule)
  })

  it("has a fault for each rule", () => {
    expect(new Set(faults.map(({ rule }) => rule))).toEqual(new Set(Object.keys(recurrenceRules)))
  })
})
