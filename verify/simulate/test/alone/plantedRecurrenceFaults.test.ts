import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { type RecurrenceRule, recurrenceRules } from "../../judge/index.ts"
import type * as Simulation from "../../index.ts"
import { bundle, readFaults } from "../../plant.ts"

const module = "verify/simulate/recurrences/simulateRecurrences.ts"
const maxSeeds = 30

const faults = await readFaults<RecurrenceRule>("recurring")
const write = await bundle(
  faults.map(({ bundled: name, edits }) => ({ name, edits })),
  module,
)

describe("the simulation of recurrences", { tags: ["long"] }, () => {
  it.each(faults)("finds by $rule: $defect", { timeout: 600_000 }, async ({ rule, bundled, seed: known = 1 }) => {
    const { simulateRecurrences } = (await import(pathToFileURL(write(bundled)).href)) as typeof Simulation
    const found = new Set<RecurrenceRule>()
    for (let seed = known; !found.has(rule) && seed < known + maxSeeds; seed++) {
      const { violations } = await simulateRecurrences({ seed })
      for (const violation of violations) found.add(violation.rule)
    }
    expect([...found]).toContain(rule)
  })

  it("has a fault for each rule", () => {
    expect(new Set(faults.map(({ rule }) => rule))).toEqual(new Set(Object.keys(recurrenceRules)))
  })
})
