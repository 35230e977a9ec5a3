import { expect, it } from "vitest"
import { flawsOf, judgementTable, quantileTable, writeSection } from "../draw/describeSoak.ts"
import { drawSoak } from "../draw/drawSoak.ts"
import { judge } from "../judge/judge.ts"
import type { SoakResults } from "../SoakResults.ts"
import { measured, soundSamples } from "./samples.ts"

const results: SoakResults = {
  minutes: 60,
  rate: 4,
  seed: 1,
  startedAt: "2026-11-22T12:00:00.000Z",
  versions: { node: "v22.0.0", postgres: "18.4" },
  machine: "2 cores",
  samples: soundSamples,
  faults: [{ kind: "bank slow", atMs: 90_000 }],
  measured,
  logged: {},
  checked: 14_400,
  violations: [],
}

it("the picture has every operation and panel, in colours for light and dark", () => {
  const svg = drawSoak(results)
  for (const text of ["issue a charge", "Heap in use", "Outbox", "prefers-color-scheme: dark"])
    expect(svg).toContain(text)
  expect(svg.match(/<path class="line0"/g)?.length).toBeGreaterThan(9)
  expect(svg).not.toMatch(/NaN|Infinity|undefined/)
})

it("a section takes the place of the one before, and nothing else of the page changes", () => {
  const page = "# Page\n\n<!-- soak:begin -->\nold\n<!-- soak:end -->\n\nafter\n"
  const written = writeSection(page, results)
  expect(written).toMatch(/^# Page\n[^]*14400 charges were held[^]*\n\nafter\n$/)
  expect(written).not.toContain("old")
  expect(writeSection(written, results)).toBe(written)
  expect(() => writeSection("# Page", results)).toThrow("soak:begin")
})

it("the tables have a line for each operation and each rule", () => {
  expect(quantileTable(results).split("\n").length).toBe(2 + Object.keys(measured.all).length)
  expect(judgementTable(judge(soundSamples)).split("\n").length).toBe(2 + judge(soundSamples).length)
})

it("a run is flawed by what it violated, and by what grew", () => {
  expect(flawsOf(results)).toEqual([])
  expect(flawsOf({ ...results, violations: ["a charge is gone"] })).toEqual(["a charge is gone"])
  const leaking = soundSamples.map((one, at) => ({ ...one, host: { ...one.host, handles: one.host.handles + at } }))
  expect(flawsOf({ ...results, samples: leaking })).toEqual([expect.stringMatching(/^handles \(\d+\) rose by \d+/)])
})
