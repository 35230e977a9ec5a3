import { expect, it } from "vitest"
import { describeSoak, findFlaws } from "../describeSoak.ts"
import { Latencies, operations } from "../Latencies.ts"
import { rules } from "../rules.ts"
import type { SoakResults } from "../runSoak.ts"
import { soundSamples } from "./samples.ts"

const results: SoakResults = {
  postgres: "18.4",
  samples: soundSamples,
  faults: 53,
  measured: new Latencies().readMeasured(),
  logged: {},
  checked: 14_400,
  violations: [],
}

it("the tables have a row for each operation and rule, or say that the run was too short for a rule", () => {
  const whole = describeSoak(results)
  for (const operation of Object.values(operations)) expect(whole).toContain(`| ${operation} | 0 | none |`)
  for (const { what } of Object.values(rules)) expect(whole).toContain(`\n| ${what} |`)
  expect(whole).not.toContain("Not judged")
  expect(describeSoak({ ...results, samples: soundSamples.slice(0, 10) })).toContain(
    "Not judged, because it takes a longer run to show: records of the write-ahead log a charge (30 minutes)",
  )
})

it("the flaws of a run are its violations and its growing quantities", () => {
  expect(findFlaws(results)).toEqual([])
  expect(findFlaws({ ...results, violations: ["a charge is gone"] })).toEqual(["a charge is gone"])
  const leaking = soundSamples.map((one, index) => ({
    ...one,
    host: { ...one.host, handles: one.host.handles + index },
  }))
  expect(findFlaws({ ...results, samples: leaking })).toEqual([expect.stringMatching(/^handles \(\d+\) rose by \d+/)])
})
