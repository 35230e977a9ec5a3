import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { bundle, type Edit, faultsIn } from "../../simulate/plant.ts"
import { describeFinding } from "../describeFinding.ts"
import type * as Fuzz from "../fuzz.ts"
import { generate } from "../generate.ts"

interface PlantedFault {
  readonly breaks: string
  /** The changes that plant the fault. */
  readonly edits: ReadonlyArray<Edit>
  readonly says: RegExp
  readonly isLong?: true
}

/** The requests that the gate sends. */
const gateRequests = { seed: 1, from: 1, count: 10_000 }

const faults = await faultsIn<PlantedFault>("fuzzed.ts")

const fileName = ({ breaks }: PlantedFault): string => `fuzz-${breaks.replace(/\W+/g, "-")}`
const write = await bundle(
  faults.map((fault) => ({
    name: fileName(fault),
    edits: fault.edits.map((edit) => ({ ...edit, file: `packages/${fault.name}/src/${edit.file}` })),
  })),
  "verify/fuzz/fuzz.ts",
)

describe("the fuzz", () => {
  for (const fault of faults) {
    it(
      `finds within the gate's requests: ${fault.breaks}`,
      { tags: fault.isLong === true ? ["long"] : [], timeout: 300_000 },
      async () => {
        const { fuzz } = (await import(pathToFileURL(write(fileName(fault))).href)) as typeof Fuzz
        const finding = await fuzz(gateRequests)
        expect(finding?.says).toMatch(fault.says)
        if (finding?.count !== 1) return
        const replayed = await fuzz({ ...gateRequests, from: finding.from, count: 1 })
        expect(replayed?.says).toMatch(fault.says)
      },
    )
  }
})

describe("a request", () => {
  it("follows from its seed and number alone", () => {
    const numbers = Array.from({ length: 300 }, (_, index) => index + 1)
    const requests = (seed: number) => numbers.map((number) => generate(seed, number))
    expect(requests(7)).toEqual(requests(7))
    expect(requests(7)).not.toEqual(requests(8))
  })

  it("is shown with the command that replays it if it breaks a rule", () => {
    const text = describeFinding(7, { says: "it was answered 500", from: 12, count: 1 })
    expect(text).toContain("Request 12 of seed 7 breaks a rule: it was answered 500")
    expect(text).toContain("pnpm fuzz --seed 7 --from 12 --count 1")
    expect(text).toContain("mount: ")
  })
})
