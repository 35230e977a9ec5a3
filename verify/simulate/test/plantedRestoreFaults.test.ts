import { pathToFileURL } from "node:url"
import type * as Simulation from "@pixcharge/testkit/simulation"
import { describe, expect, it } from "vitest"
import { faultsIn } from "../faultsIn.ts"
import { bundle } from "../plant.ts"
import type { PlantedFault } from "../PlantedFault.ts"

const maxSeeds = 300

const faults = (await faultsIn<PlantedFault>("restored.ts")).map((fault, at) => ({
  ...fault,
  bundled: `restored-${at}`,
}))
const write = await bundle(
  faults.map(({ name, bundled, file, text, replacement }) => ({
    name: bundled,
    edits: [{ file: `packages/${name}/src/${file}`, text, replacement }],
  })),
)

describe("restored backups and shared accounts in the simulation", { tags: ["long"] }, () => {
  it.each(faults)("find by $rule: $defect", { timeout: 600_000 }, async ({ rule, bundled, seed: known = 1 }) => {
    const { simulate } = (await import(pathToFileURL(write(bundled)).href)) as typeof Simulation
    const found = new Set<string>()
    for (let seed = known; !found.has(rule) && seed < known + maxSeeds; seed++) {
      for (const violation of (await simulate({ seed })).violations) found.add(violation.rule)
      if (found.has(rule)) process.stdout.write(`${bundled}: ${rule} by seed ${seed}\n`)
    }
    expect([...found]).toContain(rule)
  })
})
