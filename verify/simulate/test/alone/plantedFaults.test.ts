import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { type Rule, rules } from "../../judge/index.ts"
import type * as Simulation from "../../index.ts"
import { bundle, readFaults } from "../../plant.ts"

/** The number of seeds to try if another history hides a fault at its seed. */
const maxSeeds = 1_000

const simulated = await readFaults("simulated")
const others = await Promise.all(["restored", "further", "changes"].map((kind) => readFaults(kind)))
const faults = [...simulated, ...others.flat()]
const write = await bundle(faults.map(({ bundled: name, edits }) => ({ name, edits })))

/** The first broken rule of the seeds from the known one on; stops at this rule. */
const findFirst = async (bundled: string, rule: Rule, known?: number): Promise<Rule | undefined> => {
  const { simulate } = (await import(pathToFileURL(write(bundled)).href)) as typeof Simulation
  let found: Rule | undefined
  for (let seed = known ?? 1; found !== rule && seed < (known ?? 0) + maxSeeds; seed++) {
    found = (await simulate({ seed })).violations[0]?.rule
    if (found === rule && seed > (known ?? 9)) process.stdout.write(`${bundled}: give it the seed ${seed}\n`)
  }
  return found
}

describe("the simulation", () => {
  it.each(faults)(
    "finds by $rule: $defect ($name, $bundled)",
    { timeout: 600_000 },
    async ({ rule, bundled, seed }) => {
      expect(await findFirst(bundled, rule, seed)).toBe(rule)
    },
  )

  it("has one fault for each rule", () => {
    expect(simulated.map(({ rule }) => rule).toSorted()).toEqual(Object.keys(rules).toSorted())
  })
})
